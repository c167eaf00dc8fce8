import { expect, test } from "vitest";
import { formatOf } from "./format.ts";

test.each<[string, string, string]>([
  ["a.md", "[", "markdown"],
  ["a.yml", "[]", "yaml"],
  ["prd.json", '{"userStories": []}', "prd"],
  ["prd.json", "{broken", "prd"],
  ["x", "[]", "prd"],
  ["x", '[{"number": 1, "title": "x"}]', "github"],
  ["x.json", '{"number": 1, "title": "x"}', "github"],
  ["x", '[{"id": "a", "title": "b", "completion": {}}]', "yaml"],
  ["x", '{"task": {}}', "yaml"],
  ["x", '{"features": []}', "prd"],
  ["x", "- id: A-1\n  title: x", "yaml"],
  ["x", "task:\n  id: A-1", "yaml"],
  ["x", "# Plan\n- [ ] one", "markdown"],
  ["x", "* [x] one", "markdown"],
])("%s with %j is %s", (path, text, format) => {
  expect(formatOf(text, path)).toBe(format);
});

test.each(["", "words", '{"a": 1}', "3"])("%j is reported as unknown", (text) => {
  expect(() => formatOf(text, "notes.txt")).toThrow("notes.txt: unknown format");
});
