import { expect, test } from "vitest";
import type { TestNames } from "../../core/counting/tally.ts";
import type { Inventory } from "../test-files/inventory.ts";
import { silentFiles } from "./test-sources.ts";

const file = (...titles: string[]) => ({
  sha: "",
  tests: titles.map((title) => ({ title, skipped: false })),
  only: 0,
  assertions: 1,
});
const BEFORE: Inventory = { "test/a.test.js": file("adds", "clamps"), "test/b.test.js": file("reads ${x}") };
const ran = (...names: string[]): TestNames => ({
  tests: Object.fromEntries(names.map((name) => [name, [1, 0, 0] as const])),
  files: [],
});

test.each<[string, TestNames, string[]]>([
  ["a file in place of its tests", ran("/tmp/x/test/a.test.js", "reads 3"), ["test/a.test.js"]],
  ["a relative path", ran("test/a.test.js"), ["test/a.test.js"]],
  ["its tests beside it", ran("/tmp/x/test/a.test.js", "adds"), []],
  ["the rows of a table", ran("test/b.test.js", "reads 3"), []],
  ["a file that was not run", ran("adds"), []],
  ["another file of that name", ran("/tmp/x/other/c.test.js"), []],
  ["no names", ran(), []],
])("files that ran without their tests: %s", (_name, names, silent) => {
  expect(silentFiles(BEFORE, names)).toEqual(silent);
});

test("a file whose tests are all skipped has none to run", () => {
  const skipped = { "a.test.js": { ...file("adds"), tests: [{ title: "adds", skipped: true }] } };
  expect(silentFiles(skipped, ran("a.test.js"))).toEqual([]);
});
