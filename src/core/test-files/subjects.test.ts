import { expect, test } from "vitest";
import { isObsolete, subjectsOf } from "./subjects.ts";

const THERE = [
  "src/a.ts",
  "src/b/index.ts",
  "test/helper.ts",
  "src/pkg/m.py",
  "src/pkg/__init__.py",
  "x.go",
  "src/main/A.java",
];

test.each<[string, string, string[] | null]>([
  ["src/a.test.ts", 'import { sum as s, type T } from "./a.js";\nimport { x } from "vitest";', ["src/a.ts sum T"]],
  ["test/a.test.ts", 'import b, { c } from "../src/b";\nimport "./helper.ts";', ["src/b/index.ts c"]],
  ["test/a.test.cjs", 'const { c: d } = require("../src/a");', ["src/a.ts c"]],
  ["test/a.test.ts", 'import { x } from "../src/gone";', null],
  ["test/a.test.ts", 'import { x } from "@/a";', null],
  ["test/a.test.ts", 'import { x } from "../../out";', null],
  ["tests/test_m.py", "import os\nfrom pkg.m import f, g\n", ["src/pkg/m.py f", "src/pkg/m.py g"]],
  ["tests/test_m.py", "from pkg import (\n  m,\n  h\n)\n", ["src/pkg/m.py m", "src/pkg/__init__.py h"]],
  ["src/pkg/test_m.py", "from .m import f\n", ["src/pkg/m.py f"]],
  ["src/pkg/test_m.py", "from .gone import f\n", null],
  ["x_test.go", "", ["x.go "]],
  ["src/test/ATest.java", "", ["src/main/A.java A"]],
  ["src/test/OtherTest.java", "", []],
])("%s: %s", (path, source, subjects) => {
  const found = subjectsOf(path, source, (one) => THERE.includes(one));
  expect(found?.map(({ path, names }) => `${path} ${names.join(" ")}`) ?? null).toEqual(subjects);
});

test.each<[string, Parameters<typeof isObsolete>[0], string[], string[], boolean]>([
  ["its subject is gone", [{ path: "a.ts", names: ["sum"] }], [], [], true],
  [
    "one subject is left",
    [
      { path: "a.ts", names: [] },
      { path: "b.ts", names: [] },
    ],
    ["b.ts"],
    [],
    false,
  ],
  ["its subject was moved", [{ path: "a.ts", names: ["sum"] }], ["c.ts"], ["sum"], false],
  ["it imports nothing of the repository", [], [], [], false],
  ["an import is unknown", null, [], [], false],
])("%s", (_name, subjects, files, names, is) => {
  const now = { exists: (path: string) => files.includes(path), defines: (name: string) => names.includes(name) };
  expect(isObsolete(subjects, now)).toBe(is);
});
