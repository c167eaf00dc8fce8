import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTestFile } from "../../core/test-files/file-role.ts";
import { testChanges } from "./compare.ts";
import { takeInventory } from "./inventory.ts";

function folder(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-tests-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, files);
  return root;
}

function write(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** Titles, skipped ones in brackets; then the narrowing marks, and the assertions. */
function shown(path: string, source: string): string {
  const file = takeInventory(folder({ [path]: source }))[path];
  const tests = file?.tests.map(({ title, skipped }) => (skipped ? `[${title}]` : title)) ?? [];
  return `${tests.join(", ")} | ${file?.only ?? 0} | ${file?.assertions ?? 0}`;
}

test.each<[string, string, string]>([
  ["a.test.ts", 'it("a", () => { expect(f(1)).toBe(1); });\ntest("b", f);', "a, b | 0 | 1"],
  ["a.test.ts", 'it.skip("a", f); xit("b", f); test.todo("c"); it.concurrent("d", f);', "[a], [b], [c], d | 0 | 0"],
  ["a.test.ts", 'describe.skip("g", () => { it("a", f); });\nit("b", f);', "[a], b | 0 | 0"],
  ["a.test.ts", 'it.only("a", f); fdescribe("g", () => { it("b", f) });', "a, b | 2 | 0"],
  ["a.test.ts", 'test.each([[1, ")"], [2, "x"]])("adds %s", (a) => { assert.equal(a, 1); });', "adds %s | 0 | 1"],
  ["a.test.ts", "test.each`a|b`('t', f); it.skipIf(process.platform)(`u $x`, f);", "t, [u $x] | 0 | 0"],
  [
    "a.test.ts",
    '// it("a", f);\n/* it("b", f); */ it("c // d", f); const r = /it("e")/; x.test("no", f);',
    "c // d | 0 | 0",
  ],
  [
    "a.test.ts",
    'test("a", { skip: true }, f); test("b", { only: true }, f); test("c", { timeout: 1 }, f);',
    "[a], b, c | 1 | 0",
  ],
  [
    "a.test.ts",
    'test("a", (t) => { t.skip("later"); }); it(name, () => {}); test({ name: "n", fn() {} });',
    "[a], name, n | 0 | 1",
  ],
  [
    "a.spec.js",
    'test.beforeEach(() => {}); test.describe("g", () => { test("a", f); }); test.fixme("b", f);',
    "a, [b] | 0 | 0",
  ],
  ["a_test.go", "//go:build neverever\n\nfunc TestA(t *testing.T) {}\n", "[TestA] | 0 | 0"],
  ["a_test.go", "//go:build (linux || darwin) && !race\n\nfunc TestA(t *testing.T) {}\n", "TestA | 0 | 0"],
  ["src/a.rs", "#[cfg(any())]\nmod tests {\n  #[test]\n  fn a() {}\n}\n#[test]\nfn b() {}\n", "[a], b | 0 | 0"],
  ["src/a.rs", "#[cfg(all(test, unix))]\nmod tests {\n  #[test]\n  fn a() {}\n}\n", "a | 0 | 0"],
  ["tests/a.rs", '#![cfg(feature = "slow")]\n#[test]\nfn a() {}\n', "[a] | 0 | 0"],
  ["tests/conftest.py", "collect_ignore = ['x']\n\ndef pytest_collection_modifyitems(items):\n    pass\n", " | 2 | 0"],
  ["tests/conftest.py", "import pytest\n\n@pytest.fixture\ndef test_db():\n    return 1\n", "test_db | 0 | 0"],
  [
    "test_a.py",
    "def test_a():\n    assert f(1)\n\nasync def test_b():\n    pytest.skip('x')\n",
    "test_a, [test_b] | 0 | 1",
  ],
  [
    "test_a.py",
    "@pytest.mark.xfail(\n    reason='x')\ndef test_a():\n    pass\n# def test_b(): pass\n",
    "[test_a] | 0 | 0",
  ],
  [
    "test_a.py",
    "@unittest.skip('x')\nclass T:\n    def test_a(self):\n        self.assertEqual(f(1), 1)\n\ndef test_b():\n    '''\n    def test_c\n    '''\n",
    "[test_a], test_b | 0 | 1",
  ],
  ["test_a.py", "pytestmark = pytest.mark.skip\ndef test_a(): pass\n", "[test_a] | 0 | 0"],
  [
    "a_test.go",
    'func TestA(t *testing.T) {\n t.Run("x y", func(t *testing.T) { t.Fatal() })\n}\nfunc TestB(t *testing.T) { t.Skip("{") }',
    "TestA, [TestB], x y | 0 | 1",
  ],
  ["a_test.go", "//go:build ignore\npackage a\nfunc TestA(t *testing.T) {}", "[TestA] | 0 | 0"],
  [
    "src/lib.rs",
    '#[test]\nfn a<\'x>() { assert_eq!(f(1), 1); }\n#[tokio::test]\n#[ignore = "slow"]\nasync fn b() {}\nfn c() {}',
    "a, [b] | 0 | 1",
  ],
  [
    "ATest.java",
    'class ATest {\n @Test void a() { assertEquals(f(1), 1); }\n @Disabled("x") @Test\n public void b() {}\n}',
    "a, [b] | 0 | 1",
  ],
  ["ATest.kt", "@Disabled class ATest {\n @Test fun `a b`() {}\n}", "[`a b`] | 0 | 0"],
  [
    "ATests.cs",
    'class A { [Fact] public void A1() { Assert.True(x); } [Fact(Skip = "x")] public async Task B1() {} }',
    "A1, [B1] | 0 | 1",
  ],
  [
    "ATest.php",
    "class A { function testA() { $this->assertTrue($a); } function testB() { $this->markTestSkipped(); } }",
    "testA, [testB] | 0 | 1",
  ],
  [
    "a_spec.rb",
    'describe "g" do\n  it "a" do\n    expect(f 1).to eq 1\n  end\n  xit "b" do\n  end\n  fit "c" do\n  end\nend',
    "a, [b], c | 1 | 1",
  ],
  ["a_test.rb", "def test_a\n  assert f(1)\nend\ndef test_b\n  skip\nend\n", "test_a, [test_b] | 0 | 1"],
  ["a.bats", '@test "a" {\n  run x\n}\n@test "b" {\n  skip\n}\n', '"a" {, ["b" {] | 0 | 1'],
])("%s: %s", (path, source, found) => expect(shown(path, source)).toBe(found));

test.each([
  ["a.test.tsx", true],
  ["src/__tests__/a.js", true],
  ["test/a.mjs", true],
  ["tests/helpers.ts", false],
  ["src/contest.ts", false],
  ["app/test_a.py", true],
  ["app/latest.py", false],
  ["FooTest.java", true],
  ["Testing.java", false],
  ["x_spec.rb", true],
])("%s is a test by its name: %s", (path, is) => expect(isTestFile(path)).toBe(is));

const LOOP = "for (const n of [1, 2]) it(`adds ${n}`, () => { expect(f(1)).toBe(1); expect(f(n)).toBe(n); });";
const A =
  'it("a", () => { expect(f(1)).toBe(1); expect(f(2)).toBe(2); });\nit("b", () => { expect(f(1)).toBe(1); });\n';

test.each<[string, Record<string, string>, string[]]>([
  ["nothing", {}, []],
  ["a new test", { "a.test.ts": `${A}it("c", f);` }, []],
  ["a new test that is skipped", { "a.test.ts": `${A}it.todo("c");` }, []],
  ["another title", { "a.test.ts": A.replace('"b"', '"better"') }, []],
  ["a move", { "a.test.ts": A.split("\n")[0] ?? "", "b.test.ts": A.split("\n")[1] ?? "" }, []],
  ["a move of all", { "a.test.ts": "", "b.test.ts": A }, []],
  ["a deletion", { "a.test.ts": A.split("\n")[1] ?? "" }, ['1 test deleted: "a"']],
  ["an empty file", { "a.test.ts": "" }, ['2 tests deleted: "a", "b"']],
  ["a skip", { "a.test.ts": A.replace('it("b"', 'it.skip("b"') }, ['1 test skipped: "b"']],
  [
    "a move into a skip",
    { "a.test.ts": A.split("\n")[0] ?? "", "b.test.ts": `xit("b", () => { expect(f(1)).toBe(1); });` },
    ['1 test skipped: "b"'],
  ],
  [
    "a table of two tests",
    { "a.test.ts": 'it.each([[1, "x,y"], [2, f(1, 2)]])("adds %i", (a) => { expect(f(a)).toBe(a); });' },
    [],
  ],
  [
    "a table of one",
    {
      "a.test.ts":
        'it.each([[1, 2]])("adds %i", (a) => { expect(f(a)).toBe(a); expect(f(1)).toBe(1); expect(f(2)).toBe(2); });',
    },
    ['1 test deleted: "a"'],
  ],
  ["a table in a loop", { "a.test.ts": LOOP }, []],
  ["a table in forEach", { "a.test.ts": LOOP.replace("for (const n of ", "").replace("])", "].forEach((n) => ") }, []],
  [
    "a table with rows from elsewhere",
    { "a.test.ts": 'it.each(ROWS)("adds %i", (a) => { expect(f(a)).toBe(a); expect(f(1)).toBe(1); });' },
    [],
  ],
  [
    "a condition around a test",
    { "a.test.ts": A.replace('it("b"', 'if (process.env.ALL) it("b"') },
    ['1 test skipped: "b"'],
  ],
  ["a condition before a test", { "a.test.ts": A.replace('it("b"', 'isFull && it("b"') }, ['1 test skipped: "b"']],
  ["a condition that holds here", { "a.test.ts": A.replace('it("b"', 'if (process.platform !== "aix") it("b"') }, []],
  [
    "errors that are dropped",
    { "a.test.ts": A.replace("expect(f(2)).toBe(2);", "try { expect(f(2)).toBe(2); } catch {}") },
    ["assertions 3 → 2"],
  ],
  [
    "rejections that are dropped",
    { "a.test.ts": A.replace("expect(f(2)).toBe(2);", "later(() => expect(f(2)).toBe(2)).catch(() => {});") },
    ["assertions 3 → 2"],
  ],
  [
    "an assertion that never runs",
    { "a.test.ts": A.replace("expect(f(2)).toBe(2);", "if (false) expect(f(2)).toBe(2);") },
    ["assertions 3 → 2"],
  ],
  [
    "errors that are rethrown",
    { "a.test.ts": A.replace("expect(f(2)).toBe(2);", "try { expect(f(2)).toBe(2); } catch (e) { done(e); }") },
    [],
  ],
  ["a table without assertions", { "a.test.ts": 'it.each([1, 2])("adds %i", () => {});' }, ["assertions 3 → 0"]],
  ["fewer assertions", { "a.test.ts": A.replace("expect(f(2)).toBe(2);", "") }, ["assertions 3 → 2"]],
  ["fewer assertions, more tests", { "a.test.ts": `${A.replace("expect(f(2)).toBe(2);", "")}it("c", f);` }, []],
])("reports %s", (_name, files, told) => {
  const root = folder({ "a.test.ts": A });
  const before = takeInventory(root);
  write(root, files);
  expect(testChanges(root, before).map(({ change }) => change)).toEqual(told);
});

const P = `import unittest
class TestA(unittest.TestCase):
    def test_table(self):
        for a, b in [(1, 2), (3, 4)]:
            with self.subTest(a=a):
                self.assertEqual(f(a), b)

    def test_one(self):
        self.assertEqual(g(1), 2)
`;

test.each<[string, string, string[]]>([
  ["a row out of a table in a test", P.replace(", (3, 4)", ""), ["rows of tables 2 → 1"]],
  ["other rows", P.replace("(3, 4)", "(5, 6)"), []],
  [
    "a row as a test of its own",
    `${P.replace(", (3, 4)", "")}\n    def test_b(self):\n        self.assertEqual(f(3), 4)\n`,
    [],
  ],
  ["a range in place of a table", P.replace("a, b in [(1, 2), (3, 4)]", "a in range(1, 3)"), []],
  [
    "a condition around a test",
    P.replace(
      / {4}def test_one[\s\S]*/,
      "    if FULL:\n        def test_one(self):\n            self.assertEqual(g(1), 2)\n",
    ),
    ['1 test skipped: "test_one"'],
  ],
  ["a class without tests", P.replace("TestA(unittest.TestCase)", "A"), ['2 tests skipped: "test_table", "test_one"']],
  ["a class of another name", P.replace("TestA", "A"), []],
  [
    "a class that skips its tests",
    P.replace("Case):\n", "Case):\n    def setUp(self):\n        self.skipTest('x')\n"),
    ['2 tests skipped: "test_table", "test_one"'],
  ],
  [
    "errors that are dropped",
    P.replace(
      "        self.assertEqual(g(1), 2)",
      "        try:\n            self.assertEqual(g(1), 2)\n        except Exception:\n            pass",
    ),
    ['1 test without assertions now: "test_one"', "assertions 2 → 1"],
  ],
  [
    "errors that are suppressed",
    P.replace(
      "        self.assertEqual(g(1), 2)",
      "        with suppress(Exception):\n            self.assertEqual(g(1), 2)",
    ),
    ['1 test without assertions now: "test_one"', "assertions 2 → 1"],
  ],
  [
    "an expression that is always true",
    P.replace("self.assertEqual(g(1), 2)", "assert g(1) == 2 or True"),
    ['1 test without assertions now: "test_one"', "assertions 2 → 1"],
  ],
])("Python: reports %s", (_name, source, told) => {
  const root = folder({ "test_a.py": P });
  const before = takeInventory(root);
  write(root, { "test_a.py": source });
  expect(testChanges(root, before).map(({ change }) => change)).toEqual(told);
});

test("merging Python tests into a table is not a deletion", () => {
  const root = folder({ "test_a.py": "def test_one():\n    assert f(1)\n\ndef test_two():\n    assert f(2)\n" });
  const before = takeInventory(root);
  const table = "@pytest.mark.parametrize(\n    'x, y',\n    [(1, 2), (2, 3)],\n)\n";
  write(root, { "test_a.py": `${table}def test_all(x, y):\n    assert f(x)\n` });
  expect(testChanges(root, before)).toEqual([]);
  write(root, { "test_a.py": "@pytest.mark.parametrize('x', [1])\ndef test_all(x):\n    assert f(x)\n" });
  expect(testChanges(root, before)).toHaveLength(1);
});

const SUM = "export const sum = (a, b) => a + b;\n";
const B = `import { sum } from "./sum";
import { old } from "./old";
it("adds", () => {
  expect(sum(1, 2)).toBe(3);
  expect(sum(4, 5)).toBe(9);
});
it("is old", () => { expect(old()).toBe(7); });
`;

test.each<[string, Record<string, string | null>, string[]]>([
  [
    "merged assertions",
    { "b.test.ts": B.replace(/ {2}expect[\s\S]*?9\);/, "  expect([sum(1, 2), sum(4, 5)]).toEqual([3, 9]);") },
    [],
  ],
  [
    "assertions merged into one over a list",
    {
      "b.test.ts": B.replace(
        / {2}expect[\s\S]*?9\);/,
        "  expect([[1, 2], [4, 5]].map(([a, b]) => sum(a, b))).toEqual([3, 9]);",
      ),
    },
    [],
  ],
  [
    "cases that become a table",
    {
      "b.test.ts": B.replace(
        /it\("adds[\s\S]*?9\);\n\}\);/,
        "for (const [a, b, c] of [[1, 2, 3], [4, 5, 9]]) it(`adds ${a}`, () => { expect(sum(a, b)).toBe(c); });",
      ),
    },
    [],
  ],
  [
    "a table that lost a row",
    {
      "b.test.ts": B.replace(
        /it\("adds[\s\S]*?9\);\n\}\);/,
        "for (const [a, b, c] of [[1, 2, 3]]) it(`adds ${a}`, () => { expect(sum(a, b)).toBe(c); });",
      ),
    },
    ["assertions 3 → 2"],
  ],
  [
    "a helper that asserts",
    {
      "b.test.ts": `${B.replace(/ {2}expect[\s\S]*?9\);/, "  adds(1, 2, 3);\n  adds(4, 5, 9);")}const adds = (a, b, c) => { expect(sum(a, b)).toBe(c); };\n`,
    },
    [],
  ],
  [
    "a merged assertion that lost a value",
    { "b.test.ts": B.replace(/ {2}expect[\s\S]*?9\);/, "  expect([sum(1, 2)]).toEqual([3]);") },
    ["assertions 3 → 2"],
  ],
  ["constants in place of assertions", { "b.test.ts": B.replace("sum(4, 5)", "9") }, ["assertions 3 → 2"]],
  ["a tautology", { "b.test.ts": B.replace("toBe(9)", "toBe(sum(4, 5))") }, ["assertions 3 → 2"]],
  [
    "a hollow test beside a new one",
    {
      "b.test.ts": `${B.replace("expect(old()).toBe(7)", "expect(true).toBe(true)")}it("new", () => { expect(sum(8, 8)).toBe(16); });`,
    },
    ['1 test without assertions now: "is old"'],
  ],
  [
    "a test removed with its subject",
    { "b.test.ts": B.replace(/import \{ old[^\n]*\n|it\("is old[^\n]*\n/g, ""), "old.ts": null },
    [],
  ],
  ["a test file removed with its subjects", { "b.test.ts": null, "old.ts": null, "sum.ts": null }, []],
  [
    "a test removed whose subject is left",
    { "b.test.ts": B.replace(/it\("is old[^\n]*\n/, "") },
    ['1 test deleted: "is old"'],
  ],
  [
    "a test removed whose subject moved",
    {
      "b.test.ts": B.replace(/import \{ old[^\n]*\n|it\("is old[^\n]*\n/g, ""),
      "old.ts": null,
      "new.ts": "export function old() {}",
    },
    ['1 test deleted: "is old"'],
  ],
  [
    "another test removed with a subject",
    { "b.test.ts": B.replace(/it\("adds[\s\S]*?\}\);\n(?=it)/, ""), "old.ts": null },
    ['1 test deleted: "adds"'],
  ],
  ["a file removed with one of its subjects", { "b.test.ts": null, "old.ts": null }, ['1 test deleted: "adds"']],
])("tells %s apart", (_name, files, told) => {
  const root = folder({ "b.test.ts": B, "sum.ts": SUM, "old.ts": "export const old = () => 7;\n" });
  const before = takeInventory(root);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(root, path));
    else write(root, { [path]: text });
  }
  expect(testChanges(root, before).map(({ change }) => change)).toEqual(told);
});

test.each<[string, Record<string, [before: string, after: string]>, string[]]>([
  [
    "JavaScript",
    {
      "a.test.js": [
        'import { add, sub } from "./a.js";\nit("adds", () => expect(add(1)).toBe(1));\nit("subs", () => expect(sub(1)).toBe(1));',
        'import { add } from "./a.js";\nit("adds", () => expect(add(1)).toBe(1));',
      ],
      "a.js": ["export const add = (a) => a;\nexport const sub = (a) => a;", "export const add = (a) => a;"],
    },
    [],
  ],
  [
    "a module by its name",
    {
      "a.test.js": [
        'import * as a from "./a.js";\nit("adds", () => expect(a.add(1)).toBe(1));\nit("subs", () => expect(a.sub(1)).toBe(1));',
        'import * as a from "./a.js";\nit("adds", () => expect(a.add(1)).toBe(1));',
      ],
      "a.js": ["export const add = (a) => a;\nexport const sub = (a) => a;", "export const add = (a) => a;"],
    },
    [],
  ],
  [
    "Python",
    {
      "test_a.py": [
        "import a\n\ndef test_add():\n    assert a.add(1)\n\ndef test_sub():\n    assert a.sub(1)\n",
        "import a\n\ndef test_add():\n    assert a.add(1)\n",
      ],
      "a.py": ["def add(a):\n    return a\n\ndef sub(a):\n    return a\n", "def add(a):\n    return a\n"],
    },
    [],
  ],
  [
    "Go",
    {
      "a_test.go": [
        "func TestAdd(t *testing.T) {\n\tif Add(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\nfunc TestSub(t *testing.T) {\n\tif Sub(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
        "func TestAdd(t *testing.T) {\n\tif Add(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
      ],
      "math.go": [
        "func Add(a int) int {\n\treturn a\n}\nfunc Sub(a int) int {\n\treturn a\n}\n",
        "func Add(a int) int {\n\treturn a\n}\n",
      ],
    },
    [],
  ],
  [
    "a function that is still called",
    {
      "a.test.js": [
        'import { add, sub } from "./a.js";\nit("adds", () => expect(add(1)).toBe(1));\nit("subs", () => expect(sub(1)).toBe(1));',
        'import { add } from "./a.js";\nit("adds", () => expect(add(1)).toBe(1));',
      ],
      "a.js": [
        "const sub = (a) => a;\nexport const add = (a) => sub(a);\nexport { sub };",
        "const sub = (a) => a;\nexport const add = (a) => sub(a);",
      ],
    },
    ['1 test deleted: "subs"'],
  ],
])("a test removed with a part of its subject: %s", (_name, files, told) => {
  const side = (at: 0 | 1) => Object.fromEntries(Object.entries(files).map(([path, texts]) => [path, texts[at]]));
  const root = folder(side(0));
  const before = takeInventory(root);
  write(root, side(1));
  expect(testChanges(root, before).map(({ change }) => change)).toEqual(told);
});

test("a record without what assertions compare counts them all", () => {
  const root = folder({ "a.test.ts": 'it("a", () => { expect(1).toBe(1); expect(f()).toBe(1); });' });
  const [path, { sha, tests, only }] = Object.entries(takeInventory(root))[0] as [
    string,
    ReturnType<typeof takeInventory>[string],
  ];
  const before = { [path]: { sha, tests, only, assertions: 2 } };
  write(root, { "a.test.ts": 'it("a", () => { expect(1).toBe(1); expect(g()).toBe(1); });' });
  expect(testChanges(root, before)).toEqual([]);
});
