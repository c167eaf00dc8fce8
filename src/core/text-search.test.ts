import fc from "fast-check";
import { expect, test } from "vitest";
import { textSearch } from "./text-search.ts";

const found = (texts: string[], pieces: readonly (readonly [source: number, piece: string])[]): string[] => {
  const search = textSearch(texts);
  const sources = [search.source(), search.source()];
  for (const [source, piece] of pieces) sources[source]?.(piece);
  return [...search.found()].sort();
};

test.each<[string, string[], [number, string][], string[]]>([
  ["in one piece", ["passed"], [[0, "5 passed, 0 failed"]], ["passed"]],
  ["nowhere", ["passed"], [[0, "5 failed"]], []],
  ["exact case only", ["FAILED"], [[0, "failed"]], []],
  [
    "across two pieces",
    ["passed"],
    [
      [0, "5 pas"],
      [0, "sed"],
    ],
    ["passed"],
  ],
  ["across many pieces", ["passed"], [..."5 passed"].map((char): [number, string] => [0, char]), ["passed"]],
  [
    "across sources, in order of arrival",
    ["ab"],
    [
      [0, "a"],
      [1, "b"],
    ],
    ["ab"],
  ],
  [
    "in one source, with others in between",
    ["passed"],
    [
      [0, "pas"],
      [1, "noise"],
      [0, "sed"],
    ],
    ["passed"],
  ],
  [
    "after a long piece",
    ["end"],
    [
      [0, `${"x".repeat(70_000)}en`],
      [0, "d"],
    ],
    ["end"],
  ],
  [
    "several, overlapping",
    ["aab", "aba"],
    [
      [0, "a"],
      [0, "aba"],
    ],
    ["aab", "aba"],
  ],
  [
    "a single character",
    ["!"],
    [
      [0, "a"],
      [0, "!"],
    ],
    ["!"],
  ],
  ["an empty search text", [], [[0, "a"]], []],
])("%s", (_name, texts, pieces, expected) => {
  expect(found(texts, pieces)).toEqual(expected);
});

test("for any pieces, it finds what is in the whole text or in one source", () => {
  const piece = fc.tuple(fc.constantFrom(0, 1), fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 }));
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, fc.array(piece), (wanted, pieces) => {
      const said = (source?: number) =>
        pieces.flatMap(([from, text]) => (source === undefined || from === source ? [text] : [])).join("");
      const wholes = [said(), said(0), said(1)];
      const expected = [...new Set(wanted)].filter((text) => wholes.some((whole) => whole.includes(text))).sort();
      expect(found(wanted, pieces)).toEqual(expected);
    }),
  );
});
