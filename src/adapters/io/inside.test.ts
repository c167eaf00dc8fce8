import { expect, test } from "vitest";
import { foldersUpTo, isBelow, isInside } from "./inside.ts";

test.each([
  ["/a/b", "/a", true],
  ["/a", "/a", false],
  ["/ab", "/a", false],
  ["/a", "/", true],
  ["/", "/", false],
  ["/a", "/a/b", false],
])("%s is below %s: %s", (path, folder, below) => {
  expect(isBelow(path, folder)).toBe(below);
  expect(isInside(path, folder)).toBe(below || path === folder);
});

test.each([
  ["/a/b/c", "/a", ["/a/b/c", "/a/b", "/a"]],
  ["/a/b", "/", ["/a/b", "/a", "/"]],
  ["/", "/", ["/"]],
  ["/b", "/a", []],
])("the folders from %s up to %s", (folder, top, folders) => {
  expect([...foldersUpTo(folder, top)]).toEqual(folders);
});
