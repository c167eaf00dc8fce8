import { expect, test } from "vitest";
import type { TestNames } from "../../core/counting/tally.ts";
import type { Inventory } from "../test-files/inventory.ts";
import { silentFiles, sourceFacts } from "./test-sources.ts";

const file = (...titles: string[]) => ({
  sha: "",
  tests: titles.map((title) => ({ title, skipped: false })),
  only: 0,
  assertions: 1,
});
const BEFORE: Inventory = { "test/a.test.js": file("adds", "clamps"), "test/b.test.js": file("reads ${x}") };
const ran = (...names: string[]): TestNames => ({
  tests: Object.fromEntries(names.map((name) => [name, [1, 0, 0] as const])),
  files: {},
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

const facts = (now: Inventory, was: TestNames, is: TestNames) =>
  sourceFacts({ before: BEFORE, now: () => now, ran: was, running: is });
const named = (...names: string[]) => ran(...names);

test.each<[string, Inventory, string[], string[], string[]]>([
  ["a row of a table that is still there", BEFORE, ["reads 1", "reads 2"], ["reads 1", "easy"], ["reads 2"]],
  ["other rows", BEFORE, ["reads 1", "reads 2"], ["reads 1", "reads 3"], []],
  ["another table", { "test/b.test.js": file("loads ${x}") }, ["reads 1"], ["loads 1"], []],
  ["one of two tests of a name", { a: file("adds"), b: file("adds") }, ["adds"], [], ["adds"]],
  ["a renamed test", { "test/a.test.js": file("sums", "clamps") }, ["adds", "clamps"], ["sums", "clamps"], []],
])("tests that are still in the sources: %s", (_name, now, was, is, missing) => {
  const gone = was.filter((name) => !is.includes(name));
  expect(facts(now, named(...was), named(...is)).present(gone)).toEqual(missing);
});

test.each<[string, string[], number, string[]]>([
  ["as many", ["adds", "clamps"], 2, []],
  ["one that does not run", ["adds", "clamps"], 1, ["test/a.test.js"]],
  ["one removed", ["adds"], 1, []],
  ["one renamed", ["adds", "limits"], 2, []],
  ["one renamed, one that does not run", ["adds", "limits"], 1, ["test/a.test.js"]],
])("files of which fewer tests run: %s", (_name, titles, count, fewer) => {
  const { fewerIn } = facts({ "test/a.test.js": file(...titles) }, named(), named());
  expect(fewerIn({ "test/a.test.js": 2 }, { "test/a.test.js": count })).toEqual(fewer);
});

test("a table that is removed with its subject may have any number of rows", () => {
  const table = { ...file(), tests: [{ title: "reads ${x}", skipped: false, rows: 0 }] };
  const obsolete = new Map([["b", new Set(["reads ${x}"])]]);
  const { removed } = sourceFacts({ before: { b: table }, now: () => ({}), ran: named(), running: named(), obsolete });
  expect(removed(null)).toBe(Number.POSITIVE_INFINITY);
});

test("a file whose tests are all skipped has none to run", () => {
  const skipped = { "a.test.js": { ...file("adds"), tests: [{ title: "adds", skipped: true }] } };
  expect(silentFiles(skipped, ran("a.test.js"))).toEqual([]);
});
