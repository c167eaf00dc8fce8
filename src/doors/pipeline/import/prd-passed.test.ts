import { expect, test } from "vitest";
import { markPassed } from "./prd-passed.ts";

const TEXT = `{
    "project" : "x",   "userStories": [
    {"id":"US-1", "passes" : false, "title":"a"},
      { "id": 2, "title": "b",
        "notes": ""
      }
  ]
}
`;

test("sets passes and leaves every other character unchanged", () => {
  expect(markPassed(TEXT, "US-1")).toBe(TEXT.replace("false", "true"));
});

test("adds passes if it is missing", () => {
  const after = markPassed(TEXT, "2") ?? "";
  expect(after.replace(/,\s*"passes": true/, "")).toBe(TEXT);
  expect(JSON.parse(after).userStories[1]).toEqual({ id: 2, title: "b", notes: "", passes: true });
});

test.each<[string, string, string, string | null]>([
  ["a plain list", '[{"title":"a","passes":false}]', "a", '[{"title":"a","passes":true}]'],
  [
    "features",
    '{"features":[{"description":"a"  ,"passes":false}]}',
    "a",
    '{"features":[{"description":"a"  ,"passes":true}]}',
  ],
  [
    "the second of two equal ones",
    '[{"title":"a","passes":false},{"title":"a","passes":false}]',
    "a #2",
    '[{"title":"a","passes":false},{"title":"a","passes":true}]',
  ],
  ["a story that passes now", '[{"id":"a","title":"b","passes":true}]', "a", '[{"id":"a","title":"b","passes":true}]'],
  ["an unknown story", '[{"id":"a","title":"b"}]', "b", null],
  ["no JSON", "[", "b", null],
  ["no stories", "{}", "b", null],
])("%s", (_name, text, story, after) => {
  expect(markPassed(text, story)).toBe(after);
});

test("additions have the file's line ends and indentation", () => {
  const text = '[\r\n\t{\r\n\t\t"title": "a"\r\n\t}\r\n]\r\n';
  expect(markPassed(text, "a")).toBe('[\r\n\t{\r\n\t\t"title": "a",\r\n\t\t"passes": true\r\n\t}\r\n]\r\n');
});
