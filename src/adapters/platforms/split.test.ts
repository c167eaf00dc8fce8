import fc from "fast-check";
import { expect, test } from "vitest";
import { piecesOf, split } from "./split.ts";

const line = (n: number, chars = 40) => `${n} `.padEnd(chars, "x");

test.each<[string, string, string[]]>([
  ["a short text stays as it is", "all good", ["all good"]],
  ["an empty text is no message", "", []],
  ["paragraphs are kept whole", `${line(1, 70)}\n\n${line(2, 70)}`, [`${line(1, 70)}\n\n`, line(2, 70)]],
  ["then lines", `${line(1, 70)}\n${line(2, 70)}`, [`${line(1, 70)}\n`, line(2, 70)]],
  ["then words", `${"a".repeat(70)} ${"b".repeat(70)}`, [`${"a".repeat(70)} `, "b".repeat(70)]],
  ["then it is cut anywhere", "c".repeat(150), ["c".repeat(100), "c".repeat(50)]],
  ["a surrogate pair is never cut", `${"d".repeat(99)}😀!`, ["d".repeat(99), "😀!"]],
  [
    "a code block is closed and opened again",
    `\`\`\`ts\n${line(1)}\n${line(2)}\n${line(3)}\n\`\`\`\nafter`,
    [`\`\`\`ts\n${line(1)}\n\`\`\``, `\`\`\`ts\n${line(2)}\n${line(3)}\n\`\`\`\nafter`],
  ],
  [
    "so is one of tildes, whose lines may contain the other mark",
    `~~~~\n\`\`\`\n${line(1)}\n${line(2)}\n${line(3)}\n~~~~\n`,
    [`~~~~\n\`\`\`\n${line(1)}\n~~~~`, `~~~~\n${line(2)}\n${line(3)}\n~~~~\n`],
  ],
  [
    "blank pieces are left out",
    `${line(1)}${"\n".repeat(250)}end`,
    [`${line(1)}${"\n".repeat(60)}`, `${"\n".repeat(90)}end`],
  ],
])("%s", (_name, text, messages) => {
  expect(split(text, 100)).toEqual(messages);
});

const words = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  fc.constantFrom("\n", "\n\n", " ", "```", "```ts\n", "\n```\n", "~~~~\n", "😀", "x".repeat(130), "`".repeat(25)),
);

test("joined without the additions it is the original text, and no message is too long", () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), fc.integer({ min: 100, max: 400 }), (parts, max) => {
      const text = parts.join("");
      const pieces = piecesOf(text, max);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      for (const { open, text, close } of pieces) {
        expect((open + text + close).length).toBeLessThanOrEqual(max);
        expect(open).toMatch(/^((`{3,20}|~{3,20})[\w+#.-]{0,20}\n)?$/);
        expect(close).toMatch(/^(\n?(`{3,20}|~{3,20}))?$/);
      }
      for (const [i, { text }] of pieces.entries()) {
        const next = pieces[i + 1]?.text ?? "";
        expect(/[\ud800-\udbff]$/.test(text) && /^[\udc00-\udfff]/.test(next)).toBe(false);
      }
    }),
    { numRuns: 400 },
  );
});

test("a megabyte is split quickly", () => {
  const pieces = piecesOf("word ".repeat(200_000), 4_000);
  expect(pieces.length).toBeLessThan(260);
});
