import fc from "fast-check";
import { expect, test } from "vitest";
import { type Key, openKeys } from "./keys.ts";

const E = "\u001b";

/** The keys of a text, and those that are known only once nothing follows. */
function keysOf(...chunks: (string | Buffer)[]): Key[] {
  const reader = openKeys();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
}

test.each<[string, string, Key[]]>([
  ["letters", "jkG /?", ["j", "k", "G", " ", "/", "?"]],
  ["characters of other scripts", "é日🎉", ["é", "日", "🎉"]],
  ["arrows", `${E}[A${E}[B${E}[C${E}[D`, ["up", "down", "right", "left"]],
  ["arrows of a keypad in application mode", `${E}OA${E}OB${E}OC${E}OD`, ["up", "down", "right", "left"]],
  ["arrows with Shift and Ctrl", `${E}[1;2A${E}[1;5C`, ["up", "right"]],
  [
    "home and end of different terminals",
    `${E}[H${E}[F${E}OH${E}OF${E}[1~${E}[4~${E}[7~${E}[8~`,
    Array(4).fill(["home", "end"]).flat(),
  ],
  ["pages, insert, delete", `${E}[5~${E}[6~${E}[2~${E}[3~`, ["page-up", "page-down", "insert", "delete"]],
  ["enter", `\r\n${E}OM`, ["enter", "enter", "enter"]],
  ["tabs", `\t${E}[Z`, ["tab", "shift-tab"]],
  ["backspaces", "\u007f\b", ["backspace", "backspace"]],
  ["control keys", "\u0003\u001a\u000c\u0001", ["ctrl-c", "ctrl-z", "ctrl-l", "ctrl-a"]],
  ["escape", E, ["escape"]],
  ["escape twice, and an arrow", `${E}${E}${E}[A`, ["escape", "escape", "up"]],
  ["no key with Alt", `${E}q${E}\r!`, ["!"]],
  ["no unknown key", `${E}[17~${E}[[A${E}[99;5u${E}[?1;2c${E}OPx`, ["x"]],
  ["no answer of the terminal", `${E}]11;rgb:0000/0000/0000\u0007a${E}P1+r${E}\\b`, ["a", "b"]],
  ["the first line of pasted text as one key", `a${E}[200~\ncq é\u0003${E}[A\nrm${E}[201~b`, ["a", "paste:cq é", "b"]],
  ["no empty paste", `a${E}[200~\n${E}[201~b`, ["a", "b"]],
  ["nothing after a paste that does not end", `a${E}[200~cq`, ["a"]],
  ["nothing of an unfinished sequence", `a${E}[1;`, ["a"]],
  ["no control characters", "\u0000\u001c\u001f\u0085a", ["a"]],
])("reads %s", (_name, text, keys) => expect(keysOf(text)).toEqual(keys));

test("keys do not depend on how the bytes are cut", () => {
  const pieces = [
    "a",
    "日",
    "🎉",
    E,
    `${E}[A`,
    `${E}[5~`,
    `${E}OB`,
    `${E}[200~q${E}[201~`,
    `${E}]0;q\u0007`,
    "\r",
    "\u0003",
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces)),
      fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
      (parts, cuts) => {
        const bytes = Buffer.from(parts.join(""));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const end = at + (cuts.next().value ?? 1);
          chunks.push(bytes.subarray(at, end));
          at = end;
        }
        expect(keysOf(...chunks)).toEqual(keysOf(bytes));
      },
    ),
  );
});

test("only what may continue is waited for", () => {
  const reader = openKeys();
  expect([reader.push("a"), reader.waitMs()]).toEqual([["a"], null]);
  expect([reader.push(E), reader.waitMs()]).toEqual([[], 50]);
  expect([reader.push("[200~"), reader.waitMs()]).toEqual([[], 1_000]);
  expect([reader.flush(), reader.waitMs()]).toEqual([[], null]);
});
