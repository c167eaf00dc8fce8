import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { sample } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

interface Given {
  scope?: readonly string[];
  clean_room?: string;
  /** The folder of the loop. */
  at?: string;
}

const SCOPED = { scope: ["src/**"] };
const ROOM = { ...SCOPED, clean_room: "oracle" };

const FILES: Readonly<Record<string, string>> = {
  "check.mjs": "process.exit(0);\n",
  "src/a.js": "export {};\n",
  "test/a.test.js": "test('a', () => expect(1).toBe(1));\n",
  "deep/package.json": '{"scripts":{"test":"mocha"}}\n',
  ".gitignore": "node_modules/\n",
};

function project(given: Given = {}): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [name, content] of Object.entries(FILES)) box.write(name, content);
  for (const runner of ["mocha", "vitest"]) box.program(runner, "exit 0");
  const { at = ".", ...completion } = given;
  box.write(`${at}/.ralph/settings.json`, JSON.stringify({ completion }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

async function run(box: Sandbox, verify: string, does: string, at = ".") {
  box.program(
    "agent",
    `cd "$(git rev-parse --show-toplevel)"\n${does}\necho work > src/work.txt\necho '<promise>DONE</promise>'`,
  );
  return box.shell(`cd ${at} && "$@"`, "run", "--prompt", "x", "--agent", "agent", "--verify", verify, "-m", "1").ended;
}

test.concurrent.each(
  sample<[verify: string, added: string, does: string, given: Given]>(
    [
      ["mocha", ".mocharc.json", "echo '{}' > ../.mocharc.json", {}],
      ["node check.mjs", ".mocharc.json", "echo '{}' > ../.mocharc.json", {}],
      ["vitest run", "postcss.config.cjs", "echo > ../postcss.config.cjs", SCOPED],
      ["node check.mjs", "node_modules", "mkdir -p ../node_modules/dep", {}],
      ["node check.mjs", "package.json", 'echo \'{"type":"module"}\' > ../package.json', SCOPED],
      ["vitest run", "state/package.json", "mkdir -p ../state; echo '{}' > ../state/package.json", ROOM],
      ["vitest run", "state/rooms/.babelrc", "mkdir -p ../state/rooms; echo '{}' > ../state/rooms/.babelrc", ROOM],
      ["node check.mjs", "state/node_modules", "mkdir -p ../state/node_modules/dep", ROOM],
      [
        "pytest",
        "pyproject.toml#tool.pytest",
        "printf '[tool.pytest.ini_options]\\naddopts=\"x\"\\n' > ../pyproject.toml",
        {},
      ],
      ["vitest run", "test/node_modules", "mkdir -p test/node_modules/chai", SCOPED],
    ],
    4,
  ),
)("%s: adding %s is tampering", async (verify, added, does, given) => {
  const box = project(given);
  box.program("pytest", "exit 0");
  const { code, stderr } = await run(box, verify, does);
  expect(stderr).toMatch(new RegExp(`tampered: .*${added.replace(/[.]/g, "\\.")} \\(added`));
  expect(code).toBe(1);
});

test.concurrent("configuration above that was there is recorded, and that of the user is not", async () => {
  const changed = project();
  changed.write("../.mocharc.json", "{}\n");
  expect((await run(changed, "mocha", 'echo \'{"spec":"x"}\' > ../.mocharc.json')).stderr).toMatch(
    /tampered: \S*\/\.mocharc\.json \(changed/,
  );
  const honest = project();
  honest.write("../.mocharc.json", "{}\n");
  const { code, stderr } = await run(
    honest,
    "mocha",
    'echo "//r/:_authToken=x" > "$HOME/.npmrc"; mkdir ../other; echo > ../notes.md',
  );
  expect(stderr).not.toContain("tampered");
  expect(code).toBe(0);
});

test.concurrent("a loop in a folder of the repository does not own the configuration above it", async () => {
  const { code, stderr } = await run(project({ at: "deep" }), "npm test --silent", "echo '{}' > .mocharc.json", "deep");
  expect(stderr).toContain("tampered: ../.mocharc.json (added");
  expect(code).toBe(1);
});
