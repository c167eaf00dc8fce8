import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, lineOf } from "./frame.ts";
import { paint } from "./paint.ts";

const E = "\u001b";

test.each<[string, string[] | null, string[], string]>([
  ["nothing if nothing changed", ["a", "b"], ["a", "b"], ""],
  ["only the line that changed", ["a", "b"], ["a", "c"], `${E}[2;1H${E}[m${E}[2Kc${E}[m`],
  ["lines that are gone are erased", ["a", "b"], ["a"], `${E}[2;1H${E}[m${E}[2K${E}[m`],
  ["everything if it is unknown what is shown", null, ["a", ""], `${E}[m${E}[2J${E}[1;1H${E}[m${E}[2Ka${E}[m`],
])("a frame writes %s", (_name, shown, lines, text) => expect(difference(shown, lines)).toBe(text));

test.each<[string, string, boolean, string]>([
  ["its text at its column", "a", true, `${E}[4Ga`],
  ["colours", paint("red", "a"), true, `${E}[4G${E}[31ma${E}[39m`],
  ["no colours, but emphasis", paint("inverse", paint("red", "a")), false, `${E}[4G${E}[7ma${E}[27m`],
  ["no other sequences and no line ends", `a\n${E}[2J${E}]0;title\u0007b\r\u009b2J`, true, `${E}[4Ga b2J`],
])("a segment is written as %s", (_name, text, colours, line) => {
  expect(lineOf([{ column: 3, text }], colours)).toBe(line);
});

test("whatever a segment contains, nothing but colours and columns is sent", () => {
  const piece = fc.constantFrom(E, "[", "31m", "2J", "H", "]0;", "\u0007", "\u009b", "\n", "\r", "\t", "x", "\u202e");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = lineOf([{ column: 0, text: pieces.join("") }], true).slice(`${E}[1G`.length);
      expect(line.replaceAll(/\u001b\[[\d;:]*m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }),
  );
});
