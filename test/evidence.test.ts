import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

const TEST = `const { test } = require("node:test");
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { one } = require("./helper.js");
test("one", () => assert.equal(one(), Number(readFileSync("test/golden/one.txt", "utf8"))));
`;
const TWO = `const { test } = require("node:test");
const assert = require("node:assert");
const two = require("../two.js");
test("two", () => assert.equal(two, 2));
`;
const HELPER = 'exports.one = () => require("../lib.js").one;\n';
const SNAPSHOT = "exports[`a 1`] = `1`;\n";

const FILES = {
  "lib.js": "module.exports = { one: 0 };\n",
  "old.js": "f(); // eslint-disable-line no-undef\n",
  "README.md": "# A project\n",
  "test/one.test.js": TEST,
  "test/helper.js": HELPER,
  "test/golden/one.txt": "1\n",
  "test/data/users.csv": "Ada\n",
  "test/__snapshots__/a.snap": SNAPSHOT,
  "two.js": "module.exports = 2;\n",
  "test/two.test.js": TWO,
  "test/__snapshots__/two.test.js.snap": SNAPSHOT,
};
const FIX = "echo 'module.exports = { one: 1 };' > lib.js";

function project(files: Readonly<Record<string, string>> = FILES): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [path, content] of Object.entries(files)) box.write(path, content);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

async function run(work: string, ...args: string[]) {
  const box = project();
  box.program(
    "agent",
    `cat > /dev/null; printf "%s" "$*" > ../prompt-$RALPH_ITERATION\n${work}\necho '<promise>DONE</promise>'`,
  );
  const how = ["--prompt", "Do it", "--agent", "agent", "--max-iterations", "2", "--verify", "node --test"];
  const { code, stderr } = await box.ralph("run", ...how, ...args);
  return { box, code, line: /^[✓~?■] (.*?): /m.exec(stderr.replace(/: ralph/g, " ralph"))?.[1] ?? stderr, stderr };
}

const LINE = "// eslint-disable-next-line no-undef";

const APPENDED = "exports[`a 1`] = `2`;";

/** What the agent does, the last line without `--strict`, and the start of what it is told with it. */
const TRICKS: readonly [name: string, work: string, line: string, told: string][] = [
  [
    "suppress a finding",
    `${FIX}; echo '${LINE}' >> lib.js`,
    "a new suppression (eslint-disable-next-line) ralph diff",
    "a new suppression (lib.js:2 eslint-disable-next-line): remove it",
  ],
  [
    "suppress findings and commit",
    `${FIX}; printf '// @ts-nocheck\\n/* c8 ignore start */\\n' > new.ts; git add --all; git commit -qm work`,
    "2 new suppressions (@ts-nocheck, c8 ignore start) ralph diff",
    "2 new suppressions (new.ts:1 @ts-nocheck, new.ts:2 c8 ignore start): remove them",
  ],
  [
    "suppress more than before in the same place",
    `${FIX}; echo '/* eslint-disable */ f();' > old.js`,
    "a new suppression (eslint-disable) ralph diff",
    "a new suppression (old.js:1 eslint-disable): remove it",
  ],
  [
    "suppress a finding in a file that looks binary",
    `${FIX}; printf 'f() # noqa\\n\\0\\n' > a.py`,
    "a new suppression (noqa) ralph diff",
    "a new suppression (a.py:1 noqa): remove it",
  ],
  [
    "change the expected result",
    "echo 0 > test/golden/one.txt",
    "a snapshot changed ralph diff --tests",
    "files with expected results of tests, or that tests use, were changed (test/golden/one.txt): restore them",
  ],
  [
    "replace a snapshot with one at the end of its file",
    `${FIX}; echo '${APPENDED}' >> test/__snapshots__/a.snap`,
    "a snapshot changed ralph diff --tests",
    "files with expected results of tests, or that tests use, were changed (test/__snapshots__/a.snap): restore them",
  ],
  [
    "change a helper of the tests",
    `echo 'exports.one = () => 1;' > test/helper.js`,
    "a test helper changed ralph diff --tests",
    "files with expected results of tests, or that tests use, were changed (test/helper.js): restore them",
  ],
  [
    "delete a snapshot whose test stays",
    `${FIX}; rm test/__snapshots__/two.test.js.snap`,
    "a snapshot changed ralph diff --tests",
    "files with expected results of tests, or that tests use, were changed (test/__snapshots__/two.test.js.snap): restore them",
  ],
  [
    "change a snapshot and data, and hide it from git",
    `${FIX}; echo 'exports[\`a 1\`] = \`2\`;' > test/__snapshots__/a.snap; rm test/data/users.csv; echo 'test/*' > .gitignore`,
    "a snapshot and a fixture changed ralph diff --tests",
    "files with expected results of tests, or that tests use, were changed (test/__snapshots__/a.snap, test/data/users.csv): restore them",
  ],
];

test.concurrent.each(sample(TRICKS, 2))("on the last line: %s", async (_name, work, line) => {
  expect(await run(work)).toMatchObject({ code: 0, line: `verified (${line})` });
});

test.concurrent.each(sample(TRICKS, 2))("refused with --strict: %s", async (_name, work, _line, told) => {
  const { box, code, line } = await run(work, "--strict");
  expect({ code, line }).toEqual({ code: 1, line: "iteration-limit" });
  expect(box.read("../prompt-2")).toContain(told);
});

const HONEST: readonly [name: string, work: string][] = [
  ["write about suppressions", `${FIX}; echo '${LINE}' >> README.md; echo 'const a = "@ts-ignore";' > a.ts`],
  ["move a file with a suppression", `${FIX}; mv old.js new.js; echo 'g();' >> new.js`],
  ["move a suppression to another file", `${FIX}; cat old.js >> lib.js; rm old.js`],
  ["replace a suppression", `${FIX}; echo 'g(); // eslint-disable-line no-undef -- g is global' > old.js`],
  ["remove a suppression", `${FIX}; echo 'g();' > old.js`],
  ["add vendored files", `${FIX}; mkdir -p vendor/a; echo 'f() //nolint' > vendor/a/a.go`],
  [
    "add generated files",
    `${FIX}; mkdir generated; echo '/* eslint-disable */' | tee generated/a.js > api.generated.js`,
  ],
  [
    "add a snapshot, a fixture and a helper",
    `${FIX}; for f in golden/a.txt data/a.csv lib.js; do echo 1 > test/$f; done`,
  ],
];

test.concurrent.each(sample(HONEST, 2))("nothing against: %s", async (_name, work) => {
  const { code, line } = await run(work, "--strict");
  expect({ code, line }).toEqual({ code: 0, line: "verified" });
});

full.concurrent.each([
  [
    "add the snapshot of a new test",
    "echo 'exports[`b 1`] = `1`;' >> test/__snapshots__/a.snap",
    "a snapshot changed ralph diff --tests",
  ],
  [
    "add a test to a file",
    `echo 'test("two", () => {});' >> test/one.test.js`,
    "a test file changed ralph diff --tests",
  ],
  [
    "remove a test with its subject and its snapshot",
    "rm two.js test/two.test.js test/__snapshots__/two.test.js.snap",
    "a test file changed ralph diff --tests; 1 test was removed with what it tests",
  ],
])("named and accepted with --strict: %s", async (_name, work, named) => {
  const { code, line } = await run(`${FIX}; ${work}`, "--strict");
  expect({ code, line }).toEqual({ code: 0, line: `verified (${named})` });
});

full.concurrent("tests may change where the settings allow it, suppressions may not be added", async () => {
  const allowed = async (work: string) => {
    const box = project();
    box.write(".ralph/settings.json", JSON.stringify({ completion: { allow_test_changes: true }, proof: "strict" }));
    box.program("agent", `cat > /dev/null\n${work}\necho '<promise>DONE</promise>'`);
    return box.ralph("run", "--prompt", "Do it", "--agent", "agent", "-m", "1", "--verify", "node --test");
  };
  expect(await allowed("echo 0 > test/golden/one.txt")).toMatchObject({ code: 0 });
  expect(await allowed(`${FIX}; echo '${LINE}' >> lib.js`)).toMatchObject({ code: 1 });
});

/** Only what is committed is checked, whatever the folder shows. */
full.concurrent.each([
  ["commit a changed result and restore the file", "echo 0 > test/golden/one.txt", 1],
  ["commit the user's changes with the work", FIX, 0],
])("in a clean room: %s", async (_name, work, code) => {
  const box = project();
  box.write(".ralph/settings.json", JSON.stringify({ completion: { clean_room: true }, proof: "strict" }));
  box.write("test/data/users.csv", "Grace\n");
  box.write("test/data/new.csv", "Alan\n");
  const commit = "git commit -qam work; git checkout -q HEAD~1 -- test/golden";
  box.program("agent", `cat > /dev/null\n${work}\n${commit}\necho '<promise>DONE</promise>'`);
  const ended = await box.ralph("run", "--prompt", "Do it", "--agent", "agent", "-m", "1", "--verify", "node --test");
  expect(ended.code, ended.stderr).toBe(code);
});

full.concurrent("an agent that removes what was refused completes, and the receipt names nothing", async () => {
  const work = `${FIX}; [ "$RALPH_ITERATION" = 2 ] || echo '${LINE}' >> lib.js`;
  const { box, code, line } = await run(work, "--strict");
  expect({ code, line }).toEqual({ code: 0, line: "verified" });
  expect((await box.ralph("why")).stdout).toContain("a new suppression (lib.js:2 eslint-disable-next-line)");
});

full.concurrent("a judge sees changed expected results and new suppressions", async () => {
  const box = project();
  const quoted = "lib.js:2 eslint-disable-next-line";
  const finding = { criterion: 1, is: "contradicted", quote: quoted, reason: "a finding is suppressed" };
  box.program("wise", `printf '%s' "$1" > ../question; cat <<'E'\n${JSON.stringify({ findings: [finding] })}\nE`);
  const completion = {
    verification_method: "semantic",
    verification_config: { check_for: ["no finding is suppressed"] },
    judge: { agent: { command: "wise" } },
  };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program(
    "agent",
    `cat > /dev/null\n${FIX}; echo '${LINE}' >> lib.js; echo 2 > test/golden/one.txt; echo '<promise>DONE</promise>'`,
  );
  const { code } = await box.ralph("run", "--prompt", "Do it", "--agent", "agent", "-m", "1");
  expect(code).toBe(1);
  expect(box.read("../question")).toContain(
    [
      "These files decide whether tests pass. They existed before the work, and the work changed them:",
      "- snapshot: test/golden/one.txt (changed, 1 lines added, 1 removed)",
      "Suppressions of the findings of compilers, linters and coverage, 1 more than before:",
      `- ${quoted}: ${LINE}`,
    ].join("\n"),
  );
});

full.concurrent.each([
  ["weakens its task", [], "a new suppression (eslint-disable-next-line): ralph diff A", 0],
  ["is refused with --strict", ["--strict"], "a new suppression (lib.js:1 eslint-disable-next-line): remove it", 1],
])("a coder's new suppression %s", async (_name, options, words, expected) => {
  const box = pipeline(finished, { ralph: { stages: ["coder"] } });
  box.write("lib.js", "");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  box.plan("A-coder", `echo '${LINE}' > lib.js; touch done`);
  await box.task("A", { coder: "test -f done" });
  const { code, stderr } = await box.ralph("execute", ...options);
  expect(stderr).toContain(words);
  expect(code).toBe(expected);
});
