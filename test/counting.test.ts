import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

/** Work that keeps tests from running, or honest work that looks like it. The verdict must contain `says`. */
interface Row {
  name: string;
  verify: string;
  does: string;
  says: string | null;
  files?: Readonly<Record<string, string>>;
}

const HEAD = 'const { test, describe } = require("node:test");\nconst assert = require("node:assert");\n';
const LIB = "exports.add = (a, b) => a + b;\nexports.clamp = (n) => Math.max(0, n);\nexports.isFast = true;\n";
const PROJECT: Readonly<Record<string, string>> = {
  "lib.js": LIB,
  "old.js":
    "exports.legacyTotal = (list) => list.reduce((sum, n) => sum + n, 0);\nexports.legacyName = 'the old one';\n",
  "test/sum.test.js": `${HEAD}const { add } = require("../lib.js");
test("adds", () => assert.equal(add(1, 1), 2));
for (const n of [1, 2, 3]) test(\`adds \${n}\`, () => assert.equal(add(n, 0), n));
`,
  "test/clamp.test.js": `${HEAD}const { clamp, isFast } = require("../lib.js");
test("clamps", () => assert.equal(clamp(-1), 0));
test("is fast", { skip: !isFast }, () => assert.equal(clamp(2), 2));
test("is slow", { skip: true }, () => assert.equal(clamp(2), 2));
`,
  "test/old.test.js": `${HEAD}const { legacyTotal } = require("../old.js");
test("totals", () => assert.equal(legacyTotal([1, 2]), 3));
test("totals nothing", () => assert.equal(legacyTotal([]), 0));
`,
  "cases/one.js": `${HEAD}module.exports = () => test("case one", () => assert.ok(true));\n`,
  "cases/two.js": `${HEAD}module.exports = () => test("case two", () => assert.ok(true));\n`,
  "suite.js": 'require("./cases/one.js")();\nrequire("./cases/two.js")();\n',
  "checks/test_it.py":
    "import unittest\n\nclass Sum(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, 2)\n\n    def test_clamps(self):\n        self.assertEqual(max(0, -1), 0)\n",
  "py/test_fast.py":
    "import pytest\nfrom fast import IS_FAST\n\n@pytest.mark.skipif(not IS_FAST, reason='slow')\ndef test_fast():\n    assert IS_FAST\n",
  "py/test_sum.py": "def test_adds():\n    assert 1 + 1 == 2\n",
  "py/fast.py": "IS_FAST = True\n",
  "web/a.test.js": 'test("a", () => { expect(1).toBe(1); });\n',
  "web/b.test.js": 'test("b", () => { expect(1).toBe(1); });\n',
  "package.json": '{"scripts":{"test":"node --test test/","units":"node --test --test-name-pattern=adds test/"}}',
};

/** One of two functions has a test that can be removed with it. */
const WITH_HALF = {
  files: {
    "lib.js": `${LIB}exports.half = (n) => Math.trunc(n / 2);\n`,
    "test/half.test.js": `${HEAD}const { add } = require("../lib.js");
const { half } = require("../lib.js");
test("adds twice", () => assert.equal(add(add(1, 1), 1), 3));
test("is half", () => assert.equal(half(3), 1));
`,
  },
};

/** Rows from another file. */
const TABLE = {
  "web/c.test.js": 'for (const n of require("./rows.json")) test(`c ${n}`, () => { expect(n).toBe(n); });\n',
  "web/rows.json": "[1, 2]",
};
const OLD_TABLE = {
  "test/old.test.js": `${HEAD}const { legacyTotal } = require("../old.js");
for (const n of require("../rows.json")) test(\`totals \${n}\`, () => assert.equal(legacyTotal([n]), n));
`,
  "rows.json": "[1, 2, 3]",
};

const NPM = "npm test --silent";
const PYTHON = "python3 -m unittest discover -s checks";
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const PYTEST = "python3 -m pytest -q -p no:cacheprovider py";
const hasPytest = hasPython && spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const VITEST = `${resolve(import.meta.dirname, "../node_modules/.bin/vitest")} run --globals --dir web`;
const EASY = `printf '%s\\n' 'require("node:test").test("easy", () => {});' 'require("node:test").test("easier", () => {});' > test/easy.test.js`;

const trick = (name: string, does: string, says: string, more: Partial<Row> = {}): Row => ({
  name,
  does,
  says,
  verify: NPM,
  ...more,
});
const honest = (name: string, does: string, more: Partial<Row> = {}): Row => ({
  name,
  does,
  says: null,
  verify: NPM,
  ...more,
});
const edit = (from: string, to: string, file: string) => `sed -i 's|${from}|${to}|' ${file}`;

const TRICKS: readonly Row[] = [
  trick(
    "a file moved out of reach",
    "mkdir later; mv test/clamp.test.js later/",
    "8 tests ran before, 6 now: missing `clamps`, `is fast`",
  ),
  trick(
    "a file moved out of reach, and as many easy tests",
    `mkdir later; mv test/clamp.test.js later/; ${EASY}`,
    "8 tests ran before, 8 now: missing `clamps`, `is fast`",
  ),
  trick("a row taken out of a table", edit("1, 2, 3", "1, 2", "test/sum.test.js"), "missing `adds 3`"),
  trick(
    "a row taken out of a table, and as many easy tests",
    `${edit("1, 2, 3", "1, 2", "test/sum.test.js")}; ${EASY}`,
    "8 tests ran before, 9 now: missing `adds 3`",
  ),
  trick("a test renamed out of the filter", edit('"adds"', '"sums"', "test/sum.test.js"), "missing `adds`", {
    verify: "npm run --silent units",
  }),
  trick("a case taken out of the suite", "sed -i /two/d suite.js", "2 tests ran before, 1 now: missing `case two`", {
    verify: "node --test suite.js",
  }),
  trick("a test skipped by the work", edit("isFast = true", "isFast = false", "lib.js"), "missing `is fast`"),
  trick(
    "a test skipped by the work, and as many easy tests",
    `${edit("isFast = true", "isFast = false", "lib.js")}; ${EASY}`,
    "missing `is fast`",
  ),
  trick(
    "a test removed, and its subject renamed",
    "sed -i s/half/halve/ lib.js; sed -i /half/d test/half.test.js",
    "10 tests ran before, 9 now: missing `is half`",
    WITH_HALF,
  ),
  trick("work that exits early", "echo 'process.exit(0);' >> lib.js", "8 tests ran before"),
  trick("work that prints a summary and exits, in a runner's child", forged("lib.js"), "8 tests ran before"),
  trick("a failure hidden by the exit code", edit("a + b", "a - b", "lib.js"), "exit code 0, but 1 test failed", {
    verify: "node --test --test-name-pattern='^adds$' test/ || true",
  }),
  trick("only tests that are skipped", "sed -i 's/test(\"case/test.skip(\"case/' cases/*.js", "no test ran", {
    verify: "node --test suite.js",
  }),
  trick(
    "a runner whose summary is suppressed",
    "echo 'console.log = () => {}; process.stdout.write = () => true;' >> cases/one.js",
    "ran before, and no number is reported now",
    {
      verify: "node suite.js",
    },
  ),
  trick("a file moved out of a runner's folder", "git mv web/b.test.js test/b.test.mjs", "2 tests ran before, 1 now", {
    verify: VITEST,
  }),
  trick(
    "a file moved out of a runner's folder, and an easy test",
    "mkdir other; mv web/b.test.js other/b.test.js; cp web/a.test.js web/c.test.js",
    "the tests of web/b.test.js ran before, and do not run now",
    { verify: VITEST },
  ),
  trick(
    "a row taken out of a table in a file, by a runner that names only files, and an easy test",
    "echo '[1]' > web/rows.json; cp web/a.test.js web/d.test.js",
    "fewer tests of web/c.test.js run than before",
    { verify: VITEST, files: TABLE },
  ),
  ...(hasPytest
    ? [
        trick(
          "a test skipped by the work, and an easy test",
          "echo 'IS_FAST = False' > py/fast.py; printf 'def test_easy():\\n    pass\\n' > py/test_easy.py",
          "2 tests ran before, 2 now: missing `test_fast`",
          { verify: PYTEST },
        ),
        trick(
          "work that ends the process",
          "echo 'import os; os._exit(0)' >> py/fast.py",
          "2 tests ran before, and no number is reported now",
          { verify: PYTEST },
        ),
      ]
    : []),
  ...(hasPython
    ? [
        trick(
          "a test shadowed by one of the same name",
          "printf '\\n    def test_adds(self):\\n        pass\\n' >> checks/test_it.py; sed -i 's/test_clamps/test_adds/' checks/test_it.py",
          "2 tests ran before, 1 now",
          { verify: PYTHON },
        ),
        trick(
          "a class shadowed by one of the same name",
          "printf '\\nclass Sum(unittest.TestCase):\\n    pass\\n' >> checks/test_it.py",
          "no test ran",
          { verify: PYTHON },
        ),
      ]
    : []),
];

/** A summary in the words of the runner, from the code under test. */
function forged(file: string): string {
  const block = ["tests 8", "suites 0", "pass 8", "fail 0", "cancelled 0", "skipped 1", "todo 0"];
  return `printf '%s\\n' 'console.log("TAP version 13\\n${block.map((line) => `# ${line}`).join("\\n")}"); process.exit(0);' >> ${file}`;
}

const HONEST: readonly Row[] = [
  honest("tests added", EASY),
  honest("a test renamed", edit('"adds"', '"adds two numbers"', "test/sum.test.js")),
  honest(
    "a file moved",
    "mkdir test/deep; sed 's|../lib|../../lib|' test/sum.test.js > test/deep/total.test.js; rm test/sum.test.js",
  ),
  honest(
    "a test in a group",
    `echo '${'describe("more", () => { test("clamps", () => assert.equal(clamp(-1), 0)); });'}' >> test/clamp.test.js; sed -i '/^test("clamps"/d' test/clamp.test.js`,
  ),
  honest(
    "a new test to do, and a new skipped one",
    `printf '%s\\n' 'const { test } = require("node:test");' 'test.todo("later");' 'test("x", { skip: true }, () => {});' > test/later.test.js`,
  ),
  honest("other values in a table", edit("1, 2, 3", "4, 5, 6", "test/sum.test.js")),
  honest(
    "a table in another form",
    edit(
      "for (const n of \\[1, 2, 3\\])",
      "[1, 2, 3].forEach((n) =>",
      "test/sum.test.js; sed -i '/forEach/s/;$/);/' test/sum.test.js",
    ),
  ),
  honest("an obsolete feature removed with its tests", "rm old.js test/old.test.js"),
  honest(
    "an obsolete feature removed with a table of tests, of which only the number is known",
    "rm old.js test/old.test.js rows.json",
    {
      verify: "npm test --silent > out.txt || exit 1; grep '^# ' out.txt",
      files: OLD_TABLE,
    },
  ),
  honest(
    "the same with a commit",
    "git rm -q old.js test/old.test.js; git -c user.name=x -c user.email=x@y commit -qm x",
  ),
  honest("a function removed with its test", "sed -i /half/d lib.js test/half.test.js", WITH_HALF),
  honest("a summary that a test prints", "echo 'console.log(\"# tests 99\");' >> test/sum.test.js"),
  ...(hasPytest
    ? [honest("a test renamed, in Python", edit("test_adds", "test_sums", "py/test_sum.py"), { verify: PYTEST })]
    : []),
  honest(
    "a file of tests moved and one added",
    "mkdir web/deep; mv web/b.test.js web/deep/; cp web/a.test.js web/c.test.js",
    { verify: VITEST },
  ),
  honest("no test is touched", "echo '// more' >> lib.js"),
];

const LIMITS: readonly Row[] = [
  honest("work that prints the summary of its own process, and exits", forged("cases/one.js"), {
    verify: "node suite.js",
  }),
];

function project({ files = {} }: Row): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [path, content] of Object.entries({ ...PROJECT, ...files })) box.write(path, content);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

async function judged(row: Row): Promise<{ box: Sandbox; code: number | null; stderr: string }> {
  const box = project(row);
  box.program("agent", `cat > /dev/null\n${row.does}\necho '<promise>DONE</promise>'`);
  const { code, stderr } = await box.ralph(
    "run",
    "--prompt",
    "x",
    "--agent",
    "agent",
    "-m",
    "1",
    "--verify",
    row.verify,
  );
  return { box, code, stderr };
}

const rows = (table: readonly Row[]) => table.map((row) => [row.name, row] as const);

test.concurrent.each(sample(rows(TRICKS), 3))("is no pass: %s", async (_name, row) => {
  const { box, code, stderr } = await judged(row);
  expect([code, (await box.ralph("why")).stdout + stderr]).toEqual([1, expect.stringContaining(row.says ?? "")]);
});

test.concurrent.each(sample(rows([...HONEST, ...LIMITS]), 3))("passes: %s", async (_name, row) => {
  const { code, stderr } = await judged(row);
  expect([code, stderr]).toEqual([0, expect.stringContaining("still-green")]);
});

/** The text after the level on the last line. */
const lastLine = (stderr: string): string =>
  /^[✓~?■] (.*?): /m.exec(stderr.replace(/: ralph/g, " ralph"))?.[1] ?? stderr;

test.concurrent("other names and removed tests are named on the last line", async () => {
  const renamed = await judged(honest("", edit('"adds"', '"adds two"', "test/sum.test.js")));
  expect(lastLine(renamed.stderr)).toContain("1 test has another name");
  const removed = await judged(honest("", "rm old.js test/old.test.js"));
  expect(lastLine(removed.stderr)).toContain("8 → 6 tests");
  expect(lastLine(removed.stderr)).toContain("2 tests were removed with what they test");
  expect((await removed.box.ralph("why")).stdout).toContain("6 tests, 1 skipped");
});

full.concurrent("tests are not removed with a file that lives on elsewhere", async () => {
  const { code, stderr } = await judged(honest("", "mv old.js legacy.js; rm test/old.test.js"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("test/old.test.js (2 tests deleted")]);
  const merged = await judged(honest("", "cat old.js >> lib.js; rm old.js test/old.test.js"));
  expect([merged.code, merged.stderr]).toEqual([1, expect.stringContaining("test/old.test.js (2 tests deleted")]);
});

full.concurrent("what was red before is a minimum", async () => {
  const files = { "test/new.test.js": `${HEAD}require("../new.js");\ntest("is new", () => assert.ok(true));\n` };
  const made = await judged(honest("", "echo 'module.exports = 1;' > new.js", { files }));
  expect([made.code, lastLine(made.stderr)]).toEqual([0, "verified"]);
  const cut = await judged(honest("", "rm test/clamp.test.js; echo 'module.exports = 1;' > new.js", { files }));
  expect(cut.code).toBe(1);
});

full.concurrent("a command that chooses a subset is not counted, and says so", async () => {
  const verify = "npx() { node --test test/; }; npx jest --onlyChanged";
  const row = honest("", "echo '[1]' > rows.json", { verify, files: OLD_TABLE });
  const { box, code, stderr } = await judged(row);
  expect([code, stderr]).toEqual([0, expect.stringContaining("not countable: chooses a subset (--onlyChanged)")]);
  const plan = await box.ralph("run", "--dry-run", "--prompt", "x", "--agent", "agent", "--verify", verify);
  expect(plan.stdout).toContain("not countable: chooses a subset (--onlyChanged)");
});
