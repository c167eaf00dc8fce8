import { expect, test } from "vitest";
import { changesText, type FileChange } from "./changes.ts";

const file = (path: string, chars: number, more: Partial<FileChange> = {}): FileChange => ({
  path,
  added: 3,
  removed: 1,
  patch: "x".repeat(chars),
  note: "",
  ...more,
});
const text = (files: FileChange[], maxChars = 1_000, unseen = 0) =>
  changesText({ is: "seen", files, unseen }, maxChars);

test("the biggest are left out with name and size, the others keep their order", () => {
  const shown = text([file("b", 500), file("big", 900), file("a", 400)]);
  expect(shown.split("\n\n").map((part) => part.slice(0, 40))).toEqual([
    `--- b\n${"x".repeat(34)}`,
    `--- a\n${"x".repeat(34)}`,
    "--- big: 3 lines added, 1 removed (left ",
  ]);
});

test.each<[string, Partial<FileChange>, string]>([
  ["binary", { note: "binary", patch: null }, "--- f: binary (left out)"],
  ["cut", { note: "cut" }, "--- f: 3 lines added, 1 removed (left out)"],
  ["without a patch", { patch: null }, "--- f: 3 lines added, 1 removed (left out)"],
])("a file that is %s is named", (_name, more, words) => {
  expect(text([file("f", 10, more)])).toBe(words);
});

test("unread files are counted", () => {
  expect(text([file("f", 10)], 1_000, 7)).toContain("… and 7 more files (left out)");
  expect(text(Array.from({ length: 400 }, (_, i) => file(`f${i}`, 10, { patch: null })))).toContain(
    "and 100 more files",
  );
});

test("it stays bounded for any number of files", () => {
  const many = Array.from({ length: 5_000 }, (_, i) => file(`file-${i}`, 100));
  expect(text(many, 10_000).length).toBeLessThan(40_000);
});
