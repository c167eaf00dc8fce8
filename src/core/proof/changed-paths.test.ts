import { expect, test } from "vitest";
import { coveringPaths, uncovered } from "./changed-paths.ts";

const many = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `${folder}/${i}`);

test.each<[string, string[], string[]]>([
  ["none", [], []],
  ["a few", ["b", "a/c"], ["a/c", "b"]],
  ["too many in one folder", [...many("dist/js", 201), "a"], ["a", "dist/js/"]],
  ["too many folders", [...Array(201).keys()].map((i) => `dist/${i}/a`), ["dist/"]],
  ["too many at the top", [...Array(201).keys()].map(String), ["/"]],
])("paths that cover %s", (_name, paths, expected) => {
  const covering = coveringPaths(paths);
  expect(covering).toEqual(expected);
  expect(uncovered(paths, covering)).toEqual([]);
});

test("paths elsewhere are not covered", () => {
  expect(uncovered(["dist/a", "dist", "distant/a", "src/a"], ["dist/", "src/b"])).toEqual([
    "dist",
    "distant/a",
    "src/a",
  ]);
  expect(uncovered(["a"], [])).toEqual(["a"]);
});
