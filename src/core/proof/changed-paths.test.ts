import { expect, test } from "vitest";
import { coveredBy, coveringPaths } from "./changed-paths.ts";

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
  expect(paths.every(coveredBy(covering))).toBe(true);
});

test("paths elsewhere are not covered", () => {
  expect(["dist/a", "dist", "distant/a", "src/a"].filter(coveredBy(["dist/", "src/b"]))).toEqual(["dist/a"]);
  expect(coveredBy([])("a")).toBe(false);
});
