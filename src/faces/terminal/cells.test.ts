import stringWidth from "string-width";
import { expect, test } from "vitest";
import { cellsOf, fitCells, padCells, wrapCells } from "./cells.ts";

test.each<[string, string, string]>([
  ["short lines are left alone", "one two\n  three", "one two\n  three"],
  ["a long one breaks between words", "one two three", "one two\nthree"],
  ["and continues indented", "  one two three", "  one two\n  three"],
  ["an indentation after a colour", "\u001b[31m  one two three\u001b[39m", "\u001b[31m  one two\n  three\u001b[39m"],
  ["a word that is too long stays whole", "a incomprehensible b", "a\nincomprehensible\nb"],
  ["colours take no space", "\u001b[1mone\u001b[22m two\nthree", "\u001b[1mone\u001b[22m two\nthree"],
  ["wide characters take two cells", "日本 日本 日", "日本 日本\n日"],
  ["an emoji of several characters takes two cells", "👩‍👩‍👧‍👦 👍🏽 🇩🇪 x", "👩‍👩‍👧‍👦 👍🏽 🇩🇪\nx"],
  [
    "combining marks take none",
    "e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301 x",
    "e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301\nx",
  ],
])("%s", (_name, text, wrapped) => {
  expect(wrapCells(text, 9)).toBe(wrapped);
});

test.each<[string, string]>([
  ["  next: ralph resume abc --accept-changes", "  next:\n  ralph resume abc --accept-changes"],
  ["there is none. `ralph list` shows them all", "there is none.\n`ralph list` shows\nthem all"],
  ["gone (ralph resume abc), 3 left of them", "gone\n(ralph resume abc),\n3 left of them"],
  ["\u001b[2m  see ralph logs a · ralph why a\u001b[22m", "\u001b[2m  see ralph logs a ·\n  ralph why a\u001b[22m"],
  ['try: ralph run "a, b" -m 3', 'try:\nralph run "a, b" -m 3'],
])("a command can be copied: %j", (text, wrapped) => expect(wrapCells(text, 20)).toBe(wrapped));

test.each<[string, number, string]>([
  ["\u001b[32mverified\u001b[39m  x", 20, "\u001b[32mverified\u001b[39m  x"],
  ["\u001b[32mverified\u001b[39m  x", 11, "\u001b[32mverified\u001b[39m  x"],
  ["\u001b[32mverified\u001b[39m  x", 5, "\u001b[32mveri…\u001b[39m"],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ["\u001b[1;38;5;208mwords\u001b[0m", 3, "\u001b[1;38;5;208mwo…\u001b[0m"],
  ["\u001b[32mok\u001b[39m and more", 5, "\u001b[32mok\u001b[39m a…"],
])("colours take no cell, and end where a text is cut: %j in %d", (text, cells, fitted) => {
  expect(fitCells(text, cells)).toBe(fitted);
});

test.each<[string, number, string]>([
  ["日本", 5, "日本 "],
  ["日本", 3, "日…"],
  ["⚠️ ok", 6, "⚠️ ok "],
  ["🇩🇪🇩🇪", 3, "🇩🇪…"],
  ["\u001b[31mred\u001b[39m", 5, "\u001b[31mred\u001b[39m  "],
])("a text is cut and filled at whole characters: %s in %d", (text, cells, padded) => {
  expect(padCells(text, cells)).toBe(padded);
});

test("characters that are measured quickly have the same cells", () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (one) => !/[\p{Cs}\p{Cc}]/u.test(one),
  );
  const others = all
    .concat("🔄", "🔄 Coder (3/15)", "⏳", "⏳\ufe0f", "✓\ufe0f", "a\u0301")
    .filter((one) => cellsOf(one) !== stringWidth(one));
  expect(others).toEqual([]);
});
