import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapped } from "./wrap.ts";

const rowsOf = (text: string, columns: number): string[] =>
  wrapped([{ text, look: "" }], columns).map((row) => row.map((span) => span.text).join(""));

test.each<[string, string, number, string[]]>([
  ["a short line", "short", 10, ["short"]],
  ["an exact line", "0123456789", 10, ["0123456789"]],
  ["between words", "one two three four", 10, ["one two ", "three four"]],
  ["a long word", "abcdefghijkl", 5, ["abcde", "fghij", "kl"]],
  ["a long word after a short one", "x abcdefgh", 5, ["x ", "abcde", "fgh"]],
  ["wide characters", "漢字漢字漢字", 4, ["漢字", "漢字", "漢字"]],
  ["an indent", "    if (a) return b;", 12, ["    if (a) ", "return b;"]],
])("%s", (_name, text, columns, rows) => expect(rowsOf(text, columns)).toEqual(rows));

test("looks are kept", () => {
  expect(
    wrapped(
      [
        { text: "red ", look: "f1" },
        { text: "green", look: "f2" },
      ],
      6,
    ),
  ).toEqual([[{ text: "red ", look: "f1" }], [{ text: "green", look: "f2" }]]);
});

test("no character is lost", () => {
  const line = fc.array(fc.record({ text: fc.string({ unit: "grapheme" }), look: fc.constantFrom("", "f1") }));
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 40 }), (spans, columns) => {
      const text = (line: readonly { text: string }[]) => line.map((span) => span.text).join("");
      expect(wrapped(spans, columns).map(text).join("")).toBe(text(spans));
    }),
  );
});
