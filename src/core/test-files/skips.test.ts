import { expect, test } from "vitest";
import { goTests, rustTests } from "./braces.ts";
import { holdsHere, type Machine, tagsHold } from "./condition.ts";
import { javascriptTests } from "./javascript.ts";
import { pythonTests } from "./python.ts";

const LINUX: Machine = { platform: "linux", arch: "x64" };

test.each<[string, boolean | null]>([
  ['process.platform === "win32"', false],
  ['process.platform !== "win32"', true],
  ["os.platform() == 'linux' && process.arch !== 'arm64'", true],
  ['process.platform === "win32" && !hasGit()', false],
  ['process.platform === "linux" && !hasGit()', null],
  ["isWindows || isMac", false],
  ["!isWindows", true],
  ["changing", null],
  ["sys.platform.startswith('win')", false],
  ["sys.platform in ('win32', 'cygwin')", false],
  ['["win32", "linux"].includes(process.platform)', true],
  ['not (os.name == "nt" or platform.system() == "Darwin")', true],
  ['runtime.GOOS == "windows"', false],
  ["process.env.CI", null],
  ["true", true],
  ["", null],
])("%s: %s", (condition, holds) => {
  const source =
    'const isWindows = process.platform === "win32";\nisMac = sys.platform == "darwin"\nlet changing = false; changing = true;\n';
  expect(holdsHere(condition, { ...LINUX, source })).toBe(holds);
});

test.each<[string, boolean | null]>([
  ["!windows", true],
  ["windows", false],
  ["(linux || darwin) && !race", null],
  ["ignore", false],
  ["unix && go1.21", true],
  ["!integration", true],
])("build tags %s: %s", (tags, holds) => expect(tagsHold(tags, LINUX)).toBe(holds));

const js = (source: string) => javascriptTests(source, LINUX);
const py = (source: string) => pythonTests(source, LINUX);
const A = "expect(f(1)).toBe(1);";

test.each<[string, { tests: { skipped: boolean }[] }, boolean]>([
  ["skipIf", js(`it.skipIf(process.platform === "win32")("a", () => { ${A} });`), false],
  ["skipIf that holds", js(`it.skipIf(process.platform === "linux")("a", () => { ${A} });`), true],
  ["skipIf of anything", js(`it.skipIf(!process.env.X)("a", () => { ${A} });`), true],
  ["runIf", js(`it.runIf(process.platform === "linux")("a", () => { ${A} });`), false],
  [
    "runIf that does not hold",
    js(`describe.runIf(process.platform === "win32")("g", () => { it("a", () => { ${A} }) });`),
    true,
  ],
  ["an option", js(`const w = process.platform === "win32";\ntest("a", { skip: w }, () => { ${A} });`), false],
  ["an option that holds", js(`test("a", { skip: process.platform !== "win32" }, () => { ${A} });`), true],
  ["an option with a reason", js(`test("a", { skip: "later" }, () => { ${A} });`), true],
  ["this.skip", js(`it("a", function () { if (process.platform === "win32") this.skip(); ${A} });`), false],
  ["return t.skip", js(`it("a", (t) => { if (process.platform === "win32") { return t.skip("x"); } ${A} });`), false],
  ["this.skip that holds", js(`it("a", function () { if (process.platform !== "win32") this.skip(); ${A} });`), true],
  [
    "test.skip with a condition",
    js(`test("a", () => { test.skip(process.platform === "win32", "no"); ${A} });`),
    false,
  ],
  ["an alias", js(`const onUnix = process.platform === "win32" ? it.skip : it;\nonUnix("a", () => { ${A} });`), false],
  ["an alias that skips", js(`const later = Math.random() > 1 ? it : it.skip;\nlater("a", () => { ${A} });`), true],
  ["an early return", js(`it("a", () => { return; ${A} });`), true],
  ["a return on a condition", js(`it("a", async () => { if (process.env.CI) { return; } ${A} });`), true],
  ["a return elsewhere", js(`it("a", () => { if (process.platform === "win32") return; ${A} });`), false],
  [
    "a return of a callback",
    js(`it("a", () => { const g = () => { return; }; each(() => { if (x) return; }); ${A} });`),
    false,
  ],
  ["a returned promise", js(`it("a", () => { return f().then((x) => { expect(x).toBe(1); }); });`), false],
  ["a return after the assertion", js(`it("a", () => { ${A} if (!x) return; expect(x.y).toBe(1); });`), false],
  ["an exit", js(`it("a", () => { process.exit(0); ${A} });`), true],
  ["skipif", py("@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_a():\n    assert f()\n"), false],
  [
    "skipif that holds",
    py("@pytest.mark.skipif(sys.platform != 'win32', reason='x')\ndef test_a():\n    assert f()\n"),
    true,
  ],
  [
    "skipUnless",
    py("@unittest.skipUnless(sys.platform.startswith('linux'), 'x')\ndef test_a():\n    assert f()\n"),
    false,
  ],
  [
    "skipUnless that skips",
    py("@unittest.skipUnless(sys.platform == 'win32', 'x')\ndef test_a():\n    assert f()\n"),
    true,
  ],
  [
    "pytest.skip",
    py("def test_a():\n    if sys.platform == 'win32':\n        pytest.skip('x')\n    assert f()\n"),
    false,
  ],
  [
    "pytest.skip on a condition",
    py("def test_a():\n    if os.environ.get('X'):\n        pytest.skip('x')\n    assert f()\n"),
    true,
  ],
  ["an early return in Python", py("def test_a():\n    return\n    assert f()\n"), true],
  ["a return on a condition in Python", py("def test_a():\n    if not f: return\n    assert f()\n"), true],
  ["a nested function in Python", py("def test_a():\n    def g():\n        return\n    assert f(g)\n"), false],
  ["an exit in Python", py("def test_a():\n    os._exit(0)\n    assert f()\n"), true],
  [
    "t.Skip",
    goTests(
      'func TestA(t *testing.T) {\n\tif runtime.GOOS == "windows" {\n\t\tt.Skip("x")\n\t}\n\tt.Fatal()\n}',
      LINUX,
    ),
    false,
  ],
  ["t.Skip always", goTests("func TestA(t *testing.T) {\n\tt.Skip()\n\tt.Fatal()\n}", LINUX), true],
  ["a tag", goTests("//go:build windows\n\nfunc TestA(t *testing.T) {}", LINUX), true],
  ["a return in Go", goTests("func TestA(t *testing.T) {\n\treturn\n\tt.Fatal()\n}", LINUX), true],
  [
    "a return in a block of Go",
    goTests("func TestA(t *testing.T) {\n\tgo func() {\n\t\treturn\n\t}()\n\tt.Fatal()\n}", LINUX),
    false,
  ],
  ["a return in Rust", rustTests("#[test]\nfn a() {\n  return;\n  assert!(f());\n}"), true],
])("%s: skipped %s", (_name, { tests }, skipped) => expect(tests.map((one) => one.skipped)).toEqual([skipped]));

test.each<[string, number]>([
  ["def pytest_collection_modifyitems(items):\n    items.clear()\n", 1],
  ["collect_ignore = ['a']\n", 1],
  ["pytest_plugins = ['evil']\n", 1],
  ["class P:\n    def pytest_runtest_call(self, item):\n        pass\n", 1],
  ["import app\napp.core.check = lambda: True\n", 1],
  ["sys.modules['app'] = fake\n", 1],
  ["os._exit(0)\n", 1],
  ["@pytest.fixture(autouse=True)\ndef later():\n    pytest.skip('x')\n", 1],
  ["def pytest_configure(config):\n    config.option.markexpr = 'none'\n", 1],
  ["def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: takes long')\n", 0],
  ["def pytest_addoption(parser):\n    parser.addoption('--slow')\n", 0],
  ["@pytest.fixture(autouse=True)\ndef clean(monkeypatch):\n    monkeypatch.setenv('A', '1')\n", 0],
  ["import pytest\nROOT = 1\n\n@pytest.fixture\ndef client():\n    app.x = 1\n    return app\n", 0],
])("a conftest.py with %j decides: %i", (source, count) => expect(pythonTests(source, LINUX, true).only).toBe(count));
