import fc from "fast-check";
import { expect, test } from "vitest";
import { ansiReader, type Line, MOST_CHARS } from "./ansi.ts";

const ESC = "\u001b";

function linesOf(...chunks: string[]): Line[] {
  const reader = ansiReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}
/** `[look]text` per span, lines joined by `|`. */
const shown = (text: string): string =>
  linesOf(text)
    .map((line) => line.map(({ text, look }) => (look ? `[${look}]${text}` : text)).join(""))
    .join("|");

test.each<[string, string, string]>([
  ["plain lines", "one\ntwo\r\nthree", "one|two|three"],
  ["empty lines", "a\n\nb\n", "a||b"],
  ["a colour and its end", `${ESC}[31mred${ESC}[0m plain`, "[f1]red plain"],
  ["a look over several lines", `${ESC}[1;4mone\ntwo`, "[bold underline]one|[bold underline]two"],
  ["bright and background", `${ESC}[92;44mx${ESC}[39my${ESC}[49mz`, "[f10 b4]x[b4]yz"],
  ["256 colours", `${ESC}[38;5;196mred${ESC}[38;5;12mblue${ESC}[38;5;240mgrey`, "[f9]red[f12]blue[f8]grey"],
  ["truecolour in both forms", `${ESC}[38;2;10;200;30mgreen${ESC}[48:2::250:20:30mred`, "[f2]green[f2 b9]red"],
  ["codes after a truecolour", `${ESC}[38;2;250;0;0;1mx`, "[f9 bold]x"],
  ["a colour that is none", `${ESC}[38;5;999mx${ESC}[38;2;1mx${ESC}[38m${ESC}[;;m.`, "xx."],
  ["inverse", `${ESC}[7ma${ESC}[31mb${ESC}[27mc`, "[inverse]a[b1]b[f1]c"],
  ["concealed text is shown", `${ESC}[8msecret`, "secret"],
  ["a return overwrites", "10 %\r20 %\rdone", "done"],
  ["a shorter text after a return leaves the rest", "abcdef\rXY", "XYcdef"],
  ["a return within colours", `${ESC}[31mabc\r${ESC}[32mX`, "[f2]X[f1]bc"],
  ["erase to the end of the line", `abcdef\rX${ESC}[K`, "X"],
  ["erase the line", `abcdef\r${ESC}[2KX`, "X"],
  ["half of a wide character", "😀b\rx", "x b"],
  ["tabs", "a\tb\n12345678\tc", "a       b|12345678        c"],
  ["cursor, screen and titles", `a${ESC}[2J${ESC}[5;5H${ESC}[3Ab${ESC}]0;title\u0007c${ESC}(B`, "abc"],
  ["links keep their text", `${ESC}]8;;https://x.invalid${ESC}\\text${ESC}]8;;${ESC}\\`, "text"],
  ["controls and bidi", "a\u0000b\u0007c\u008dd\u202ee\u2066f\u200fg\u2028h", "abcdefgh"],
  ["markup is text", "<img src=x onerror=alert(1)>&amp;", "<img src=x onerror=alert(1)>&amp;"],
  ["a stray escape swallows no line", `a${ESC}]0;never ends\nb`, "a0;never ends|b"],
])("%s", (_name, text, wanted) => {
  expect(shown(text)).toBe(wanted);
});

test("a long line is bounded and says what is missing", () => {
  const [line] = linesOf(`${"x".repeat(MOST_CHARS + 10)}${"y".repeat(5)}\n`);
  expect(line?.[0]?.text).toHaveLength(MOST_CHARS);
  expect(line?.at(-1)?.text).toBe(" … 15 more characters");
});

test("the line that has not ended is known", () => {
  const reader = ansiReader();
  expect(reader.push("a\nbc")).toEqual([[{ text: "a", look: "" }]]);
  expect(reader.open()).toEqual([{ text: "bc", look: "" }]);
});

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\r",
    "\n",
    "\t",
    ESC,
    `${ESC}[`,
    "31m",
    `${ESC}[0m`,
    `${ESC}[K`,
    `${ESC}[2K`,
    "😀",
    "38;2;1;2;3m",
    "]0;",
  ),
);

test("it never shows a control character, and chunks do not matter", () => {
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(200)), (pieces, cuts) => {
      const text = pieces.join("");
      const whole = linesOf(text);
      for (const { text } of whole.flat()) expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      for (const { look } of whole.flat()) expect(look).toMatch(/^[a-z0-9 ]*$/);
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const chunks = at.slice(1).map((end, i) => text.slice(at[i], end));
      expect(linesOf(...chunks)).toEqual(whole);
    }),
  );
});
