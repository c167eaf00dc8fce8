import { expect, test } from "vitest";
import { patternWatch } from "./patterns.ts";

const look = (patterns: string[], ...lines: string[]) => {
  const watch = patternWatch(patterns);
  for (const [i, line] of lines.entries()) watch.look(line, () => `a.js:${i + 1}`);
  return watch.hit();
};

test.each<[string, string[], string[], string | null]>([
  ["as it is written", ["TODO"], ["x", "// TODO: x"], "a.js:2"],
  ["in any case", ["Not Implemented"], ["throw 'NOT implemented'"], "a.js:1"],
  ["inside a word", ["fix"], ["prefixed"], "a.js:1"],
  ["literally", ["a.c"], ["abc"], null],
  ["at its first place", ["b", "a"], ["xa", "xb"], "a.js:1"],
  ["none of them", ["TODO", "FIXME"], ["done"], null],
  ["no patterns", [], ["TODO"], null],
])("a pattern is found %s", (_name, patterns, lines, where) => {
  expect(look(patterns, ...lines)?.where ?? null).toBe(where);
});
