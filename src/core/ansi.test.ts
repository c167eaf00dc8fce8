import { expect, test } from "vitest";
import { ansiFilter } from "./ansi.ts";

test.each<[string, string[], string]>([
  ["colours", ["\u001b[1;32mok\u001b[0m"], "ok"],
  ["a sequence split anywhere", ["a\u001b", "[3", "1", "mb"], "ab"],
  ["a title", ["\u001b]0;title\u0007text"], "text"],
  ["a link split at its end", ["\u001b]8;;http://x\u001b", "\\link\u001b]8;;\u001b\\"], "link"],
  ["an unterminated title, up to the end of its line", ["\u001b]0;title\ntext"], "0;title\ntext"],
  ["a stray escape character at the end", ["text\u001b"], "text\u001b"],
  ["plain text", ["plain [31m text"], "plain [31m text"],
])("removes %s", (_name, chunks, text) => {
  const filter = ansiFilter();
  expect(chunks.map((chunk) => filter.pass(chunk)).join("") + filter.flush()).toBe(text);
});
