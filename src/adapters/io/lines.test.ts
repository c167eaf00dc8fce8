import fc from "fast-check";
import { expect, test } from "vitest";
import { lineSplitter } from "./lines.ts";

function split(chunks: Buffer[], max = 1_000): string[] {
  const lines: string[] = [];
  const splitter = lineSplitter(max, (line) => lines.push(line.toString()));
  for (const chunk of chunks) splitter.add(chunk);
  splitter.end();
  return lines;
}

test.each<[string, string[], string[]]>([
  ["lines in one chunk", ["a\nb\n"], ["a", "b"]],
  ["a line over several chunks", ["a", "b", "c\nd"], ["abc", "d"]],
  ["no empty lines", ["\n\na\n"], ["a"]],
  ["a line beyond the cap is skipped, the next one is not", ["x".repeat(600), "x".repeat(600), "\nok\n"], ["ok"]],
])("%s", (_name, chunks, lines) => expect(split(chunks.map((chunk) => Buffer.from(chunk)))).toEqual(lines));

test("does not depend on where the bytes are cut, even inside a character", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), fc.array(fc.nat(40)), (texts, cuts) => {
      const wanted = texts.map((text) => text.replaceAll("\n", "")).filter((text) => text !== "");
      const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(""));
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      expect(split(edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge)))).toEqual(wanted);
    }),
  );
});
