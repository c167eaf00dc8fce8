import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { type ChangedSource, suppressionTally } from "./new-suppressions.ts";

type Change = [path: string, before: string | null, after: string | null];

function newIn(...files: Change[]) {
  const tally = suppressionTally();
  for (const [path, before, after] of files) tally.add({ path, before, after, isTest: path.includes(".test.") });
  return tally.result();
}

const TS = "// @ts-ignore\nf();\n";

test.each<[string, Change[], number, string[]]>([
  ["one in a new file", [["a.ts", null, TS]], 1, ["a.ts:1 @ts-ignore"]],
  ["one more in a file", [["a.ts", TS, `${TS}g(); // @ts-ignore\n`]], 1, ["a.ts:3 @ts-ignore"]],
  ["a copy", [["b.ts", null, TS]], 1, ["b.ts:1 @ts-ignore"]],
  ["of a wider kind", [["a.ts", TS, "// @ts-nocheck\nf();\n"]], 1, ["a.ts:1 @ts-nocheck"]],
  ["for every rule instead of one", [["a.py", "f()  # noqa: E1", "f()  # noqa"]], 1, ["a.py:1 noqa"]],
  [
    "for a file instead of a line",
    [["a.js", "f(); // eslint-disable-line a", "/* eslint-disable a */ f();"]],
    1,
    ["a.js:1 eslint-disable"],
  ],
  ["of another tool", [["a.ts", TS, "// eslint-disable-next-line\nf();\n"]], 1, ["a.ts:1 eslint-disable-next-line"]],
  [
    "two for one",
    [
      ["a.ts", TS, "f();"],
      ["b.ts", "", `${TS}// @ts-ignore x`],
    ],
    1,
    ["b.ts:3 @ts-ignore"],
  ],
  ["of an expected error in the work", [["a.ts", "", "// @ts-expect-error"]], 1, ["a.ts:1 @ts-expect-error"]],
])("new: %s", (_name, files, count, places) => {
  const found = newIn(...files);
  expect(found.count).toBe(count);
  expect(found.places.map(({ path, line, name }) => `${path}:${line} ${name}`)).toEqual(places);
});

test.each<[string, Change[]]>([
  ["none", [["a.ts", "", "f();"]]],
  ["an unchanged one", [["a.ts", TS, `g();\n${TS}`]]],
  [
    "one that moved to another file",
    [
      ["a.ts", TS, ""],
      ["b.ts", null, TS],
    ],
  ],
  [
    "one that moved with its file",
    [
      ["a.ts", TS, null],
      ["b.ts", null, TS],
    ],
  ],
  ["one that is indented, with another reason", [["a.ts", TS, "if (a) {\n  // @ts-ignore: because\n  f();\n}"]]],
  [
    "one in place of another",
    [
      ["a.ts", TS, "f();"],
      ["b.ts", "g();", "g(); // @ts-ignore: g"],
    ],
  ],
  ["a removed one", [["a.ts", TS, "f();"]]],
  ["one that hides less", [["a.ts", TS, "// @ts-expect-error\nf();\n"]]],
  ["one for a rule instead of all", [["a.py", "f()  # noqa", "f()  # noqa: E1"]]],
  ["lines instead of a file", [["a.py", "# ruff: noqa\nf()\ng()", "f()  # noqa: E1\ng()  # noqa: E2"]]],
  [
    "a line before instead of behind",
    [["a.js", "f(); // eslint-disable-line a", "// eslint-disable-next-line a\nf();"]],
  ],
  ["of an expected error in a test", [["a.test.ts", "", "// @ts-expect-error: not a number\nf('a');"]]],
])("not new: %s", (_name, files) => {
  expect(newIn(...files)).toEqual({ count: 0, places: [] });
});

const line = fc.constantFrom(
  "f();",
  "// @ts-ignore",
  "g(); // eslint-disable-line",
  "/* eslint-disable */",
  "// @ts-nocheck",
);
const text = fc.array(line, { maxLength: 8 });

test("moving lines between files is never new, and one more line always is", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3)), (files, to) => {
      const moved = files.map(() => [] as string[]);
      files.flat().forEach((one, i) => {
        moved[(to[i] ?? 0) % files.length]?.push(one);
      });
      const change = (after: string[][]): ChangedSource[] =>
        files.map((before, i) => ({
          path: `${i}.ts`,
          before: before.join("\n"),
          after: after[i]?.join("\n") ?? null,
          isTest: false,
        }));
      const count = (all: ChangedSource[]) => {
        const tally = suppressionTally();
        all.forEach(tally.add);
        return tally.result();
      };
      expect(count(change(moved))).toEqual({ count: 0, places: [] });
      const more = [...moved.slice(1), ["// biome-ignore lint: x", ...(moved[0] ?? [])]];
      expect(count(change(more)).count).toBe(1);
    }),
    { numRuns: runs(1_000) },
  );
});
