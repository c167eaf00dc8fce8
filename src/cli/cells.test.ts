import { expect, test } from "vitest";
import { wrapCells } from "./cells.ts";

test.each<[string, string, string]>([
  ["short lines are left alone", "one two\n  three", "one two\n  three"],
  ["a long one breaks between words", "one two three", "one two\nthree"],
  ["and goes on below its beginning", "  one two three", "  one two\n  three"],
  ["a word that fits nowhere stays whole", "a incomprehensible b", "a\nincomprehensible\nb"],
  ["colours take no room", "\u001b[1mone\u001b[22m two\nthree", "\u001b[1mone\u001b[22m two\nthree"],
  ["wide characters take two cells", "日本 日本 日", "日本 日本\n日"],
])("%s", (_name, text, wrapped) => {
  expect(wrapCells(text, 9)).toBe(wrapped);
});
