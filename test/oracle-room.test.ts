import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
const FIX = "echo 'export const add = (a, b) => a + b;' > src/add.js";

const FILES = {
  "package.json": '{"type":"module","dependencies":{"dep":"file:vendor/dep"}}\n',
  "vendor/dep/package.json": '{"name":"dep","version":"1.0.0","main":"index.js"}\n',
  "vendor/dep/index.js": "module.exports = 3;\n",
  "package-lock.json": `${JSON.stringify({
    name: "work",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { dependencies: { dep: "file:vendor/dep" } },
      "node_modules/dep": { resolved: "vendor/dep", link: true },
      "vendor/dep": { name: "dep", version: "1.0.0" },
    },
  })}\n`,
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "src/old.js": "export const old = 1;\n",
  "check.mjs": `import { existsSync, readFileSync } from "node:fs";
import dep from "dep";
import { add } from "./src/add.js";
const expected = existsSync("local.txt") ? Number(readFileSync("local.txt", "utf8")) : 3;
if (dep !== 3 || expected !== 3 || add(1, 2) !== 3) process.exit(1);
`,
  ".gitignore": "node_modules/\nlocal.txt\n.env\n*.log\n",
};

interface Given {
  work: string;
  fix?: string;
  criteria?: object;
  verify?: string;
}

/** A project whose checks run in the oracle room. */
function project({ work, fix = FIX, criteria = {} }: Omit<Given, "verify">): Sandbox {
  const box = sandbox();
  box.initGit();
  for (const [name, content] of Object.entries(FILES)) box.write(name, content);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "files");
  box.git("tag", "v1");
  const completion = { clean_room: "oracle", scope: ["src/**", "+test/**"], ...criteria };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program("agent", `printf '%s' "$1" > ../prompt-$RALPH_ITERATION\n${fix}\n${work}\necho '${DONE}'`);
  return box;
}

async function run({ verify = "node check.mjs", ...given }: Given) {
  const box = project(given);
  const command = verify.replaceAll("CHECKOUT", box.cwd);
  const ended = await box.ralph("run", "--prompt", "Fix add", "--agent", "agent", "--verify", command, "-m", "2");
  expect(readdirSync(join(box.state, "rooms")).filter((name) => name !== "dependencies")).toEqual([]);
  expect(box.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  return { box, ...ended };
}

const NO_FIX = ":";

/** Tricks by which a check in the checkout passes although nothing is fixed; git ignores all of them. */
const TRICKS: [string, string, string][] = [
  [
    "another dependency in the agent's folders",
    "rm -rf node_modules; mkdir -p node_modules/dep; echo 'process.exit(0)' > node_modules/dep/index.js",
    "node check.mjs",
  ],
  ["an ignored file that the check reads", "echo 0 > .env", "test -f .env || node check.mjs"],
  [
    "an ignored program in front of others",
    "mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/tool; chmod +x node_modules/.bin/tool",
    "PATH=$PWD/node_modules/.bin:$PATH tool || node check.mjs; test -x node_modules/.bin/tool || node check.mjs",
  ],
  [
    "a log that an earlier run would have written",
    "echo passed > result.log",
    "grep -q passed result.log || node check.mjs",
  ],
  [
    "a file of the checkout that the command names by its absolute path",
    "mkdir -p node_modules; echo 'process.exit(0)' > node_modules/pass.mjs",
    'cd "CHECKOUT" && if test -f CHECKOUT/node_modules/pass.mjs; then exit 0; fi; node CHECKOUT/check.mjs',
  ],
  [
    "other content under the name of one of git's objects",
    `echo 'process.exit(0)' > ../evil; place() { echo "$1" | sed 's#^..#&/#'; }
old=$(git rev-parse HEAD:vendor/dep/index.js); new=$(GIT_DIR=$PWD/.git git hash-object -w ../evil)
chmod u+w .git/objects/$(place $old); cp -f .git/objects/$(place $new) .git/objects/$(place $old)`,
    "node check.mjs",
  ],
  [
    "a filter of the repository",
    "git config filter.x.clean 'true'; git config filter.x.smudge 'echo'; echo '*.mjs filter=x' > .git/info/attributes",
    "node check.mjs",
  ],
  [
    "a module that the check finds above",
    "mkdir -p ../node_modules/dep; echo 'process.exit(0)' > ../node_modules/dep/index.js; rm -rf node_modules",
    "node check.mjs",
  ],
];

sampled(1).each(TRICKS)("in the oracle room it is not there: %s", async (_name, work, verify) => {
  const { code, stderr } = await run({ work, fix: NO_FIX, verify });
  expect(stderr).not.toMatch(/✓ (?:verified|still-green)/);
  expect(code).toBe(1);
});

const HONEST: [string, Given][] = [
  ["the work alone", { work: ":" }],
  [
    "a new file in the scope",
    { work: "echo 'export * from \"./sum.js\"' > src/add.js; echo 'export const add = (a, b) => a + b' > src/sum.js" },
  ],
  ["a deleted file", { work: "rm src/old.js", verify: "node check.mjs && test ! -e src/old.js" }],
  [
    "a renamed file",
    { work: "git mv src/old.js src/new.js", verify: "node check.mjs && test -f src/new.js -a ! -e src/old.js" },
  ],
  ["a commit of the work", { work: "git add -A; git commit -qm work" }],
  [
    "a new test",
    {
      work: "mkdir -p test; echo 'import \"../check.mjs\"' > test/a.test.mjs",
      verify: "node --test test/*.mjs; node check.mjs",
    },
  ],
  [
    "an executable file",
    { work: "echo 'echo hi' > src/tool.sh; chmod +x src/tool.sh", verify: "node check.mjs && src/tool.sh" },
  ],
  [
    "a check that uses git",
    { work: ":", verify: "node check.mjs && git ls-files | grep -q src/add.js && git diff --quiet HEAD" },
  ],
  [
    "a check that asks git for tags, branches and changes",
    {
      work: "git tag v2",
      verify:
        "node check.mjs && test $(git describe --tags --abbrev=0) = v1 && git diff --name-only main | grep src/add",
    },
  ],
  [
    "a check that names the checkout by its absolute path",
    { work: ":", verify: "cd CHECKOUT/src && node ../check.mjs" },
  ],
  [
    "names with unusual bytes",
    {
      work: `touch ./src/-rf 'src/:(top)x' 'src/a"b\\c' "$(printf 'src/\\377')"`,
      verify: `node check.mjs && test -f src/-rf -a -f 'src/:(top)x' -a -f 'src/a"b\\c' -a -f "$(printf 'src/\\377')"`,
    },
  ],
];

sampled(1).each(HONEST)("honest work passes: %s", async (_name, given) => {
  const { code, stderr } = await run(given);
  expect(stderr).toMatch(
    /✓ verified: .*checked in the oracle room: \d+ changed files? within the scope applied to the start/,
  );
  expect(code).toBe(0);
});

test("uncommitted files of the start are in the room, and the user's index and objects stay untouched", async () => {
  const box = project({ work: ":" });
  box.write("wanted.txt", "there\n");
  box.write("src/old.js", "export const old = 2;\n");
  const before = [box.git("count-objects"), box.git("ls-files", "--stage"), box.git("worktree", "list")];
  const verify = "node check.mjs && grep -q there wanted.txt && grep -q 2 src/old.js";
  const { code } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", verify, "-m", "1");
  expect(code).toBe(0);
  expect([box.git("count-objects"), box.git("ls-files", "--stage"), box.git("worktree", "list")]).toEqual(before);
});

full("variables that lead into the checkout lead to the same place in the room", async () => {
  const setup = "mkdir -p .venv/bin; printf '#!/bin/sh\\necho installed' > .venv/bin/tool; chmod +x .venv/bin/tool";
  const criteria = { clean_room: { mode: "oracle", setup } };
  const box = project({ work: "mkdir -p lib; echo theirs > lib/who", criteria });
  box.write(".venv/bin/tool", "#!/bin/sh\necho theirs\n");
  box.write("lib/who", "ours\n");
  box.git("add", "lib");
  box.git("commit", "--quiet", "-m", "lib");
  const verify = 'test "$(tool)" = installed && test "$(cat "$LIBRARY/who")" = ours && node check.mjs';
  const { code, stderr } = await box.start(
    [
      "run",
      "--prompt",
      "Fix add",
      "--agent",
      "agent",
      "--verify",
      verify,
      "--scope",
      "src/**",
      "--scope",
      ".venv/**",
      "-m",
      "1",
    ],
    { PATH: `${box.path(".venv/bin")}:${box.bin}:${process.env.PATH}`, LIBRARY: box.path("lib") },
  ).ended;
  expect(stderr).toContain("✓ check:");
  expect(stderr).toContain("outside the scope: lib/who (changed)");
  expect(code).toBe(1);
});

test("an oracle room without a scope is an error", async () => {
  const box = project({ work: ":", criteria: { scope: [] } });
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true");
  expect(stderr).toMatch(/clean_room "oracle" needs a scope[\s\S]*--scope "src\/\*\*"/);
  expect(code).toBe(2);
});

full("files of submodules and nested repositories are in the room, also with a shallow history", async () => {
  const box = project({ work: ":" });
  for (const path of ["vendor/lib", "mine"]) {
    box.write(`${path}/wanted.txt`, "there");
    box.git("init", "--quiet", path);
    box.git("-C", path, "add", "--all");
    box.git("-C", path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "files");
  }
  box.git("update-index", "--add", "vendor/lib");
  box.git("commit", "--quiet", "-m", "submodule");
  box.write(".git/shallow", box.git("rev-parse", "HEAD"));
  const verify =
    "node check.mjs && test -f vendor/lib/wanted.txt -a -f mine/wanted.txt && git log --oneline | grep submodule";
  const { code } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", verify, "-m", "1");
  expect(code).toBe(0);
});

/** What `npm ci` needs of two packages in one repository, of which one has a program that is not executable. */
const WORKSPACES = {
  "package.json": { name: "w", private: true, type: "module", workspaces: ["packages/*"] },
  "packages/tool/package.json": { name: "tool", version: "1.0.0", bin: { tool: "tool.js" } },
  "package-lock.json": {
    ...{ name: "w", lockfileVersion: 3, requires: true },
    packages: {
      "": { name: "w", workspaces: ["packages/*"] },
      "node_modules/tool": { resolved: "packages/tool", link: true },
      "packages/tool": { version: "1.0.0", bin: { tool: "tool.js" } },
    },
  },
};

function workspaces(given: Omit<Given, "verify">): Sandbox {
  const box = project(given);
  for (const [name, content] of Object.entries(WORKSPACES)) box.write(name, JSON.stringify(content));
  box.write("packages/tool/tool.js", "#!/bin/sh\nexit 0\n");
  box.write("check.mjs", 'import { add } from "./src/add.js"; process.exit(add(1, 2) === 3 ? 0 : 1);');
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "workspaces");
  return box;
}

full("programs of the repository's own packages run from the second claim on, too", async () => {
  const box = workspaces({ work: ":", fix: `[ "$RALPH_ITERATION" = 1 ] || ${FIX}` });
  const verify = "npm exec --no tool && node check.mjs";
  const { code } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", verify, "-m", "2");
  expect(code).toBe(0);
});

full("what a setup changes in the files of the room is undone", async () => {
  const scripts = { postinstall: "node src/post.cjs" };
  const manifest = JSON.stringify({ ...WORKSPACES["package.json"], scripts });
  const box = workspaces({
    work: `echo 'require("fs").writeFileSync("check.mjs", "")' > src/post.cjs; echo '${manifest}' > package.json`,
    fix: ":",
    criteria: { scope: ["src/**", "package.json"] },
  });
  const verify = "cat check.mjs | node --input-type=module -";
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", verify, "-m", "1");
  expect(stderr).toMatch(/npm ci/);
  expect(code).toBe(1);
});

full("--clean-room replaces the mode of the settings, and keeps their setup", async () => {
  const setup = "touch ready";
  const box = project({ work: ":", criteria: { clean_room: { mode: "commit", setup } } });
  const args = ["--verify", "node check.mjs", "--clean-room", "oracle"];
  const { stdout } = await box.ralph("run", "--prompt", "x", "--agent", "agent", ...args, "--dry-run");
  expect(stdout).toContain("oracle room: commands and plugins see");
  expect(stdout).toContain(setup);
});

const SEALED = { from: "../hidden", to: "test/sealed", run: "node test/sealed/secret.mjs" };

/** Two sealed checks, of which the second fails until the work is right. */
function sealedProject(fix: string, more: object = {}): Sandbox {
  const sealed = [
    { ...SEALED, run: "test -f test/sealed/secret.mjs" },
    { ...SEALED, ...more },
  ];
  const box = project({ work: "ls test 2>&1", fix, criteria: { sealed } });
  const secret =
    'import { add } from "../../src/add.js"; console.log("SECRET-OUTPUT"); process.exit(add(2, 2) === 4 ? 0 : 1)';
  box.write("../hidden/secret.mjs", secret);
  return box;
}

const runSealed = (box: Sandbox) =>
  box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "node check.mjs", "-m", "2");
/** Passes every check that the agent can see. */
const HARD_CODED = "echo 'export const add = () => 3' > src/add.js";

test("a sealed check refuses what the visible checks accept, and the agent learns only its number", async () => {
  const box = sealedProject(HARD_CODED);
  const { code, stderr } = await runSealed(box);
  expect(code).toBe(1);
  expect(stderr).toMatch(/not proven \(fail\): sealed check 2 of 2 failed/);
  const prompt = box.read("../prompt-2");
  expect(prompt).toContain("sealed check 2 of 2 failed");
  for (const secret of ["SECRET-OUTPUT", "secret.mjs", "hidden", "test/sealed"]) expect(prompt).not.toContain(secret);
  expect(box.exists("test/sealed")).toBe(false);
  const why = await box.ralph("why");
  const folder = /^logs {2}(\S+)$/m.exec(why.stdout)?.[1];
  expect(box.read(`${folder}/check-1-1-3.log`)).toContain("SECRET-OUTPUT");
});

full("right work passes it, and the last line says that nothing kept the agent from reading it", async () => {
  const { code, stderr } = await runSealed(sealedProject(FIX));
  expect(stderr).toMatch(/✓ verified: 3 of 3 checks pass/);
  expect(stderr).toMatch(/the agent could read the sealed checks/);
  expect(code).toBe(0);
});

full("its command is named only if the user allows it", async () => {
  const box = sealedProject(HARD_CODED, { show_names: true });
  await runSealed(box);
  expect(box.read("../prompt-2")).toContain("Command: node test/sealed/secret.mjs");
  expect(box.read("../prompt-2")).not.toContain("SECRET-OUTPUT");
});

full("changed sealed files are tampering, which the agent learns without their place", async () => {
  const box = sealedProject(`${HARD_CODED}; echo 'process.exit(0)' > ../hidden/secret.mjs`);
  const { stderr } = await runSealed(box);
  expect(stderr).toMatch(/tampered: sealed \.\.\/hidden \(changed: 1 files/);
  expect(box.read("../prompt-2")).toContain("A sealed check decides completion: changed");
  expect(box.read("../prompt-2")).not.toContain("hidden");
});

full("sealed files may be a link, lead elsewhere by links, and cover files of the work for a while", async () => {
  const run = "test -f src/extra/more.txt && node src/extra/secret.mjs";
  const box = sealedProject(`${FIX}; mkdir -p src/extra; echo x > src/extra/mine.txt`, {
    ...{ from: "../link", to: "src/extra", run: `test ! -e src/extra/mine.txt && ${run}` },
  });
  box.write("../shared/more.txt", "x");
  symlinkSync("hidden", box.path("../link"));
  symlinkSync("../shared/more.txt", box.path("../hidden/more.txt"));
  const { code, stderr } = await runSealed(box);
  expect(stderr).toMatch(/✓ verified: 3 of 3 checks pass/);
  expect(code).toBe(0);
});

sampled(1).each<[string, object, RegExp]>([
  ["without an oracle room", { clean_room: true, sealed: [SEALED] }, /sealed checks run in the oracle room/],
  ["that do not exist", { sealed: [{ ...SEALED, from: "../none" }] }, /sealed: \.\.\/none does not exist/],
  ["in the checkout", { sealed: [{ ...SEALED, from: "src" }] }, /sealed: src is in the checkout/],
  ["placed outside", { sealed: [{ ...SEALED, to: "../x" }] }, /sealed: \.\.\/x leads out of the loop's folder/],
])("sealed checks %s are an error", async (_name, criteria, message) => {
  const box = project({ work: ":", criteria });
  box.write("../hidden/secret.mjs", "");
  const { code, stderr } = await runSealed(box);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

const OLD_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { add } from "../src/add.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;

/** A project whose existing test may be changed. */
function differential(work: string): Sandbox {
  const box = project({ work, fix: ":", criteria: { scope: ["src/**", "test/**"], differential: true } });
  box.write("test/add.test.js", OLD_TEST);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "test");
  return box;
}

const runTests = (box: Sandbox, ...args: string[]) =>
  box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "node --test test/", "-m", "1", ...args);

const WRONG = "echo 'export const add = (a, b) => a * b' > src/add.js; sed -i 's/3));/2));/' test/add.test.js";
const RIGHT_WITH_MORE = `${FIX}; echo 'test("adds more", () => assert.equal(add(2, 2), 4));' >> test/add.test.js`;

test("work that passes only with changed tests is named", async () => {
  const { code, stderr } = await runTests(differential(WRONG));
  expect(stderr).toMatch(/✓ verified.*proof depends on changed tests/);
  expect(code).toBe(0);
});

full("with --strict it is refused", async () => {
  const { code, stderr } = await runTests(differential(WRONG), "--strict");
  expect(stderr).toMatch(/not proven \(fail\): the checks pass only with changed tests/);
  expect(code).toBe(1);
});

sampled(1).each([
  ["more tests in an existing file", RIGHT_WITH_MORE],
  ["no changed test", FIX],
])("honest work does not depend on them: %s", async (_name, work) => {
  const { code, stderr } = await runTests(differential(work), "--strict");
  expect(stderr).not.toContain("depends on changed tests");
  expect(stderr).toMatch(/✓ verified/);
  expect(code).toBe(0);
});

full("code under test that changes the room while the checks run is no proof", async () => {
  const edit = `import { writeFileSync } from "node:fs"; writeFileSync(new URL("../check.mjs", import.meta.url), ""); export const add = (a, b) => a + b;`;
  const { code, stderr } = await run({ work: ":", fix: `cat > src/add.js <<'E'\n${edit}\nE` });
  expect(stderr).toMatch(/check\.mjs/);
  expect(stderr).not.toMatch(/✓ (?:verified|still-green)/);
  expect(code).toBe(1);
});

test("doctor rates the checks and names the next step", async () => {
  const rate = async (completion: object) => {
    const box = project({ work: ":" });
    box.write(".ralph/settings.json", JSON.stringify({ verify: ["node check.mjs"], completion }));
    return (await box.ralph("doctor")).stdout.replace(/\s+/g, " ");
  };
  expect(await rate({})).toMatch(/checks fair: 1 check · no scope · .*"scope": \["src\/\*\*"\]/);
  expect(await rate({ scope: ["src/**"] })).toMatch(/checks good: .*"clean_room": "oracle"/);
  expect(await rate({ scope: ["src/**"], clean_room: "oracle" })).toMatch(/checks strong: .* oracle room .*"sealed"/);
});
