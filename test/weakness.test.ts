import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { closedPort } from "./support/closed-port.ts";
import { full, sample } from "./support/effort.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

const testOf = (name: string, value: number) =>
  `const { test } = require("node:test");
const assert = require("node:assert");
test("${name}", () => assert.equal(require("../lib.js").${name}, ${value}));
`;

/** A project whose lib.js is wrong, with any other files that exist before the loop starts. */
function project(files: Readonly<Record<string, string>>): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  box.write("lib.js", "module.exports = { one: 0, two: 2 };\n");
  for (const [path, content] of Object.entries(files)) box.write(path, content);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

const FIX = "echo 'module.exports = { one: 1, two: 2 };' > lib.js";
const DONE = "echo '<promise>DONE</promise>'";
const RED = { "test/one.test.js": testOf("one", 1) };
const GREEN = { "test/two.test.js": testOf("two", 2) };

/** The text in parentheses after the level, and the level. */
async function lastLine(box: Sandbox, work: string, ...args: string[]): Promise<string> {
  box.program("agent", `cat > /dev/null\n${work}\n${DONE}`);
  const verify = args.length > 0 ? args : ["--verify", "node --test"];
  const { stderr } = await box.ralph(
    "run",
    "--prompt",
    "Do it",
    "--agent",
    "agent",
    "--max-iterations",
    "2",
    ...verify,
  );
  return /^[✓~?■] (.*?): /m.exec(stderr.replace(/: ralph/g, " ralph"))?.[1] ?? stderr;
}

const ADD = (path: string) => `echo '// and more' >> ${path}`;

test.concurrent.each<[string, Readonly<Record<string, string>>, string, string]>(
  sample(
    [
      ["a changed test file", RED, `${FIX}; ${ADD("test/one.test.js")}`, "a test file changed ralph diff --tests"],
      [
        "two test files and a snapshot",
        { ...RED, ...GREEN, "test/__snapshots__/a.snap": "exports[`a 1`] = `1`;\n" },
        `${FIX}; ${ADD("test/one.test.js")}; ${ADD("test/two.test.js")}; ${ADD("test/__snapshots__/a.snap")}`,
        "2 test files and a snapshot changed ralph diff --tests",
      ],
      [
        "a golden file",
        { ...RED, "golden/page.html": "<p>old</p>\n" },
        `${FIX}; echo '<p>new</p>' > golden/page.html`,
        "a snapshot changed ralph diff --tests",
      ],
      [
        "a deleted fixture",
        { ...RED, "fixtures/a.json": "{}\n" },
        `${FIX}; rm fixtures/a.json`,
        "a fixture changed ralph diff --tests",
      ],
      [
        "a test file that the agent changed and committed",
        RED,
        `${FIX}; ${ADD("test/one.test.js")}; git add --all; git commit --quiet -m work`,
        "a test file changed ralph diff --tests",
      ],
      [
        "tests that the agent wrote in a project without tests",
        { "package.json": '{"scripts": {"test": "node --test test/"}}' },
        `${FIX}; mkdir -p test; cp ../one.test.js test/`,
        "the agent wrote its own tests",
      ],
    ],
    1,
  ),
)("%s is reported", async (_name, files, work, expected) => {
  const box = project(files);
  box.write("../one.test.js", testOf("one", 1));
  const verify = files["package.json"] ? ["--verify", "npm test"] : [];
  expect(await lastLine(box, work, ...verify)).toBe(`verified (${expected})`);
});

full.concurrent.each<[string, Readonly<Record<string, string>>, string]>([
  ["only the work, with a test of the user's", RED, FIX],
  ["a new test beside the user's", RED, `${FIX}; cp ../two.test.js test/`],
  ["a moved test without changes", { ...RED, ...GREEN }, `${FIX}; mv test/two.test.js test/three.test.js`],
  ["a new snapshot", RED, `${FIX}; mkdir -p test/__snapshots__; echo x > test/__snapshots__/one.snap`],
  [
    "a file with only a name like a test",
    { ...RED, "src/contest.js": "", "latest.js": "" },
    `${FIX}; ${ADD("src/contest.js")}; ${ADD("latest.js")}`,
  ],
  ["a commit by the agent", RED, `${FIX}; git add --all; git commit --quiet -m work`],
])("%s weakens nothing", async (_name, files, work) => {
  const box = project(files);
  box.write("../two.test.js", testOf("two", 2));
  expect(await lastLine(box, work)).toBe("verified");
});

full.concurrent("the user's changes before the loop are not the agent's", async () => {
  const box = project(GREEN);
  box.write("test/two.test.js", `${testOf("two", 2)}// of the user\n`);
  box.write("test/one.test.js", testOf("one", 1));
  expect(await lastLine(box, FIX)).toBe("verified");
});

full.concurrent("a command without any protected file", async () => {
  const box = project({});
  expect(await lastLine(box, "touch done.txt", "--verify", "test -f done.txt")).toBe(
    "verified (nothing was protected)",
  );
});

full.concurrent("no baseline, and an unreachable judge", async () => {
  const box = project(GREEN);
  const judge = {
    provider: "openai",
    base_url: `${await closedPort(finished)}/v1`,
    api_key_env: "PATH",
    model: "small",
  };
  const stages = [
    { name: "tests", method: "external", config: { command: "node --test" } },
    { name: "judge", method: "semantic", config: { check_for: ["it is one"], judge, on_error: "string_match" } },
  ];
  const completion = { baseline: false, verification_method: "multi_stage", verification_config: { stages } };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  expect(await lastLine(box, FIX, "--timeout", "5m")).toBe("still-green (judge unavailable; no baseline was taken)");
});

full.concurrent("outside git, an agent that reports no tools", async () => {
  const box = sandbox(finished);
  box.write("check.sh", "test -f done.txt\n");
  const line = await lastLine(box, "touch done.txt", "--verify", "sh check.sh");
  expect(line).toBe("verified (whether work was done could not be seen)");
});

full.concurrent("still green shows the change in the number of tests", async () => {
  const box = project(GREEN);
  box.write("../one.test.js", testOf("one", 1));
  expect(await lastLine(box, `${FIX}; cp ../one.test.js test/`)).toBe("still-green (1 → 2 tests)");
  expect(await lastLine(box, "echo >> lib.js")).toBe("still-green (2 tests, as before)");
  expect((await box.ralph("why")).stdout).toContain("tests     2 tests, as before");
});

full.concurrent("an execution counts the tasks with a weakened proof, and `task show` names it", async () => {
  const box = pipeline(finished, { ralph: { stages: ["coder"] } });
  for (const [path, content] of Object.entries({ ...RED, "test/three.test.js": testOf("three", 3) }))
    box.write(path, content);
  box.write("lib.js", "module.exports = { one: 0, three: 0 };\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  box.plan("A-coder", "sed -i 's/one: 0/one: 1/' lib.js");
  box.plan("B-coder", `sed -i 's/three: 0/three: 3/' lib.js; ${ADD("test/three.test.js")}`);
  await box.task("A", { coder: "node --test test/one.test.js" });
  await box.task("B", { coder: "node --test test/three.test.js" }, "--depends-on", "A");
  const { code, stderr } = await box.ralph("execute");
  expect(code).toBe(0);
  expect(stderr).toContain("(1 weakened: B)");
  expect(stderr).toContain("B ✓ coder verified (a test file changed: ralph diff B --tests)");
  expect(stderr).toMatch(/^A ✓ coder verified \(1 iteration\)$/m);
  expect((await box.ralph("task", "show", "B")).stdout).toContain(
    "weakened   a test file changed: ralph diff B --tests",
  );
  expect((await box.ralph("diff", "B", "--tests", "--name-only")).stdout).toBe("test/three.test.js\n");
});
