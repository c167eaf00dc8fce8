import { expect, test } from "vitest";
import { splitWords, typedWord } from "./shell.ts";

test.each<[string, string[] | null]>([
  ["claude --model opus", ["claude", "--model", "opus"]],
  ["  claude\t-x \n", ["claude", "-x"]],
  [`claude "--foo=a b" --bar='c d' ''`, ["claude", "--foo=a b", "--bar=c d", ""]],
  [`a"b c"'d "e'\\ f`, ['ab cd "e f']],
  [String.raw`x "a\"b\\c\d" 'e\f'`, ["x", String.raw`a"b\c\d`, String.raw`e\f`]],
  ['--allowedTools "Bash(npm test:*)" $HOME *', ["--allowedTools", "Bash(npm test:*)", "$HOME", "*"]],
  ["", []],
  [`claude "x`, null],
  ["claude 'x", null],
  ["claude x\\", null],
])("the words of %j", (line, words) => expect(splitWords(line)).toEqual(words));

test.each([
  ["npm test", '"npm test"'],
  ["src/a-b.ts", "src/a-b.ts"],
  ["", '""'],
  ["a's", `"a's"`],
  ["$HOME", "'$HOME'"],
  [`a "b" it's`, `'a "b" it'\\''s'`],
])("%j is typed as %s", (text, typed) => expect(typedWord(text)).toBe(typed));
