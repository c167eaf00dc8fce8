import { expect, test } from "vitest";
import { isObsolete, type Look, sourcesOf, usedIn } from "./subjects.ts";

const THERE = [
  "src/a.ts",
  "src/b/index.ts",
  "test/helper.ts",
  "src/pkg/m.py",
  "src/pkg/__init__.py",
  "pkg/x.go",
  "pkg/y_test.go",
  "src/lib.rs",
  "src/main/A.java",
];
const LOOK: Look = {
  exists: (path) => THERE.includes(path),
  definedIn: (path) => (path.endsWith(".java") ? [] : ["add", "sub"]),
  beside: (path) => THERE.filter((other) => other.startsWith(path.slice(0, path.lastIndexOf("/") + 1))),
};

test.each<[string, string, string[] | null]>([
  [
    "src/a.test.ts",
    'import { sum as s, type T } from "./a.js";\nimport { x } from "vitest";',
    ["src/a.ts sum=s", "src/a.ts T=T"],
  ],
  [
    "test/a.test.ts",
    'import b, { c } from "../src/b";\nimport "./helper.ts";',
    ["src/b/index.ts c=c", "src/b/index.ts null=b"],
  ],
  ["test/a.test.cjs", 'const { c: d } = require("../src/a");', ["src/a.ts c=d"]],
  ["test/a.test.ts", 'import "../src/a";', ["src/a.ts null=null"]],
  ["test/a.test.ts", 'import { x } from "../src/gone";', null],
  ["test/a.test.ts", 'import { x } from "@/a";', null],
  ["test/a.test.ts", 'import { x } from "../../out";', null],
  ["tests/test_m.py", "import os\nfrom pkg.m import f, g as h\n", ["src/pkg/m.py f=f", "src/pkg/m.py g=h"]],
  ["tests/test_m.py", "from pkg import (\n  m,\n  h\n)\n", ["src/pkg/m.py null=m", "src/pkg/__init__.py h=h"]],
  ["src/pkg/test_m.py", "from .m import f\n", ["src/pkg/m.py f=f"]],
  ["src/pkg/test_m.py", "from .gone import f\n", null],
  ["pkg/y_test.go", "", ["pkg/x.go add=add", "pkg/x.go sub=sub"]],
  ["src/lib.rs", "", ["src/lib.rs add=add", "src/lib.rs sub=sub"]],
  ["tests/it.rs", "", ["src/lib.rs add=add", "src/lib.rs sub=sub"]],
  ["src/test/ATest.java", "", ["src/main/A.java null=null"]],
  ["src/test/OtherTest.java", "", []],
])("%s: %s", (path, text, subjects) => {
  const found = sourcesOf(path, text, LOOK);
  expect(found?.map(({ path, name, bound }) => `${path} ${name}=${bound}`) ?? null).toEqual(subjects);
});

const SOURCES = [
  { path: "a.ts", name: "sum", bound: "s" },
  { path: "a.ts", name: "T", bound: "T" },
  { path: "b.ts", name: null, bound: "b" },
];

test.each<[string, string[]]>([
  ["expect(s(1)).toBe(2)", ["a.ts sum"]],
  ["expect(b.add(1)).toBe(b.sub(3))", ["b.ts add", "b.ts sub"]],
  ["expect(b()).toBe(1)", ["b.ts null"]],
  ["expect(sum(1)).toBe(2)", []],
])("what %j uses", (body, subjects) => {
  expect(usedIn(body, SOURCES).map(({ path, name }) => `${path} ${name}`)).toEqual(subjects);
});

const SUM = { path: "a.ts", name: "sum" };

test.each<[string, Parameters<typeof isObsolete>[0], string[], string[], boolean]>([
  ["its subject is gone", [SUM], [], [], true],
  ["one subject is left", [SUM, { path: "b.ts", name: "b" }], ["b.ts b"], [], false],
  ["its subject was moved", [SUM], [], ["sum"], false],
  ["its subject has no name", [SUM, { path: "b.ts", name: null }], [], [], false],
  ["it uses nothing of the repository", [], [], [], false],
  ["an import is unknown", null, [], [], false],
])("%s", (_name, subjects, mentioned, defined, is) => {
  const now = {
    defines: (name: string) => defined.includes(name),
    mentions: (path: string, name: string) => mentioned.includes(`${path} ${name}`),
  };
  expect(isObsolete(subjects, now)).toBe(is);
});
