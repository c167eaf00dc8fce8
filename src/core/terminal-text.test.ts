import fc from "fast-check";
import { expect, test } from "vitest";
import { printable, stripAnsi } from "./ansi.ts";
import { jsonLine, terminalFilter, terminalText } from "./terminal-text.ts";

const ESC = "\u001b";
const RED = `${ESC}[31m`;
const RESET = `${ESC}[0m`;

function shown(chunks: readonly string[], colours = true): string {
  const filter = terminalFilter({ colours });
  return chunks.map((chunk) => filter.pass(chunk)).join("") + filter.flush();
}

test.each<[string, string, string]>([
  ["a colour, closed by the agent", `${RED}red${RESET} plain\n`, `${RED}red${RESET} plain\n`],
  ["a colour left open ends with its line", `${RED}red\nplain\n`, `${RED}red${RESET}\nplain\n`],
  ["… and with the output", `${RED}red`, `${RED}red${RESET}`],
  ["colours of all forms", `${ESC}[1;38;5;208m${ESC}[4:3mx${ESC}[m`, `${ESC}[1;38;5;208m${ESC}[4:3mx${ESC}[m`],
  ["a mode that looks like a colour", `a${ESC}[>4;1mb${ESC}[?1mc`, "abc"],
  ["the clipboard", `a${ESC}]52;c;ZXZpbA==\u0007b`, "ab"],
  ["a long clipboard", `a${ESC}]52;c;${"x".repeat(50_000)}${ESC}\\b`, "ab"],
  ["a title and a link", `${ESC}]0;t\u0007a ${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`, "a link"],
  ["clear screen and cursor moves", `${ESC}[2J${ESC}[H${ESC}[3Aa${ESC}[?25l${ESC}cb${ESC}7${ESC}M`, "ab"],
  ["DCS, SOS, PM and APC", `a${ESC}Pq#1${ESC}\\${ESC}Xs${ESC}\\${ESC}^p${ESC}\\${ESC}_a${ESC}\\b`, "ab"],
  ["C1 controls", "a\u009b2Jb\u009d0;t\u009cc\u0084\u0090d", "a2Jb0;tcd"],
  ["bells, backspaces, NUL, DEL", "a\u0007b\b\b\u0000c\u007fd\u000b\u000ee", "abcde"],
  ["characters that reorder text", "a\u202egpj.exe\u202c \u2066x\u2069", "agpj.exe x"],
  ["a return that would overwrite its line", "real\rfake\r\r\nlast", "real\nfake\nlast"],
  ["returns at the start of a line", "\r\n\r\rone\n\rtwo\r\n", "\none\ntwo\n"],
  ["an unterminated title shows its text", `${ESC}]0;title\ntext`, "0;title\ntext"],
  ["a sequence over two lines", `a${ESC}[3\n1mb${ESC}]52;c;\nx\u0007`, "a3\n1mb52;c;\nx"],
  ["a sequence inside the ruins of another", `${ESC}${ESC}]0;x\u0007[2Ja${ESC}[${ESC}[2Jb`, "[2Jab"],
  ["a colour inside a title", `${ESC}]0;t${RED}a`, `0;t${RED}a${RESET}`],
  ["a stray escape character", `a${ESC}`, "a"],
  [
    "text that was decoded with the wrong encoding",
    "donâ\u0080\u0099t â\u0080\u009cquoteâ\u0080\u009d é 日本 👩‍👩‍👧",
    "donât âquoteâ é 日本 👩‍👩‍👧",
  ],
  ["tabs and text", "\ta [31m b\n", "\ta [31m b\n"],
])("agent output: %s", (_name, text, expected) => {
  expect(shown([text])).toBe(expected);
  expect(shown([...text])).toBe(expected);
});

test("without colours nothing of a sequence is left", () =>
  expect(shown([`${RED}a${ESC}[0m\n${ESC}[1;3`, "1mb\n"], false)).toBe("a\nb\n"));

const pieces = fc.constantFrom(
  ESC,
  "[",
  "]",
  "52;c;",
  "31m",
  "0m",
  "\\",
  "\u0007",
  "\u009b",
  "\u009d",
  "\r",
  "\n",
  "a",
  "P",
  "\u202e",
);

test("however a text is built and cut, only whole colours are left, and none at a line's end", () => {
  fc.assert(
    fc.property(fc.array(fc.array(pieces, { maxLength: 8 }), { maxLength: 6 }), (chunks) => {
      const texts = chunks.map((chunk) => chunk.join(""));
      const all = shown(texts);
      expect(all).toBe(shown([texts.join("")]));
      for (const line of all.split("\n")) {
        const colours = line.match(/\u001b\[[\d;]*m/g) ?? [];
        expect(line.replaceAll(/\u001b\[[\d;]*m/g, "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
        expect([undefined, RESET]).toContain(colours.at(-1));
      }
    }),
  );
});

test.each<[string, boolean, string]>([
  [`${RED}own${ESC}[39m ${ESC}]0;x\u0007`, true, `${RED}own${ESC}[39m `],
  [`${RED}own${ESC}[39m\nnext\r\n`, false, "own\nnext\n"],
  [`${ESC}${ESC}]0;x\u0007[2J`, true, "[2J"],
])("a line of Ralph's own: %j", (text, colours, expected) => expect(terminalText(text, colours)).toBe(expected));

test("JSON for a terminal is the same value", () => {
  const value = { title: "a\u009b2J\u202eb\u007f\u001b" };
  const line = jsonLine(value);
  expect(line).toBe('{"title":"a\\u009b2J\\u202eb\\u007f\\u001b"}');
  expect(JSON.parse(line)).toEqual(value);
});

// Nothing can interrupt a regular expression: output that takes quadratic time would stop timeouts and Ctrl-C.
test.each<[string, (count: number) => string]>([
  ["returns", (count) => `${"\r".repeat(count)}x`],
  ["escape characters", (count) => `${ESC.repeat(count)}\n`],
  ["digits of a colour", (count) => `${ESC}[${"1".repeat(count)}\n`],
  ["parameters of a colour", (count) => `${ESC}[${"1;".repeat(count / 2)}\n`],
  ["starts of colours", (count) => `${`${ESC}[`.repeat(count / 2)}\n`],
  ["a title without an end", (count) => `${ESC}]0;${"x".repeat(count)}\n`],
  ["titles without an end", (count) => `${`${ESC}]0;`.repeat(count / 4)}\n`],
  ["spaces after an escape character", (count) => `${ESC}${" ".repeat(count)}\n`],
])("eight times as many %s do not take many more times as long", (_name, text) => {
  const fastest = (count: number, clean: (text: string) => void): number => {
    const input = text(count);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      clean(input);
      return performance.now() - start;
    });
    return Math.max(Math.min(...times), 0.05);
  };
  for (const clean of [(input: string) => shown([input]), (input: string) => printable(input), stripAnsi]) {
    // Linear: 8 times; quadratic: 64 times.
    expect(fastest(64_000, clean) / fastest(8_000, clean)).toBeLessThan(32);
  }
});
