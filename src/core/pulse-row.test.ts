import { expect, test } from "vitest";
import { pulseIn } from "./pulse-row.ts";

const loop = (pulse: string, id = "ab12") => pulseIn({ kind: "loop", id, text: `{"atMs": 1, "pulse": ${pulse}}` });
const execution = (pulse: object) =>
  pulseIn({ kind: "execution", id: "ab12", text: JSON.stringify({ atMs: 1, pulse }) })?.pulse;

test("whatever is in the file, times are dates, texts are bounded and printable", () => {
  const text = `{"agent": {"toString": 1}, "model": "${"x".repeat(9_000)}", "turnBeganMs": 1e300, "heardMs": -5,
    "doing": {"kind": "tool", "text": "\\u001b]0;x\\u0007rm", "sinceMs": 1e999}, "costUsd": "7", "tokens": [3]}`;
  expect(loop(text)?.pulse).toEqual({
    ...{ agent: "", model: "x".repeat(4_000), turnBeganMs: 8_640_000_000_000_000, heardMs: null },
    ...{ doing: { kind: "tool", text: "rm", sinceMs: 0 }, costUsd: 0, tokens: 0 },
  });
  expect(() => new Date(8_640_000_000_000_000).toISOString()).not.toThrow();
  expect(
    execution({ slots: [null, 7, { task: {}, sinceMs: 1e300 }], merging: [{ toString: 1 }, "T-1"] }),
  ).toMatchObject({
    slots: [null, { task: "", sinceMs: 0 }, { task: "", sinceMs: 8_640_000_000_000_000 }],
    merging: ["", "T-1"],
  });
  expect(execution({ slots: Array(100_000).fill(null) })).toMatchObject({ slots: Array(1_000).fill(null) });
});

test.each(["", "{", "7", "null", '"text"'])("%j is no pulse", (text) => expect(loop(text)).toBeNull());

test.each([
  "",
  "../evil",
  "a/b",
  "\u001b]0;x\u0007a",
  "a\0",
  "-a",
  ".",
  "a.lock",
  "x".repeat(65),
])("%j is no id", (id) => expect(loop("{}", id)).toBeNull());

test.each<[string, unknown]>([
  ["0", 0],
  ["-5", 0],
  ["1e999", 0],
  ["null", 0],
  ['"7"', 0],
  ["1e300", 8_640_000_000_000_000],
])("a time of %s is %s", (atMs, expected) =>
  expect(pulseIn({ kind: "loop", id: "a", text: `{"atMs": ${atMs}, "pulse": {}}` })?.atMs).toBe(expected));
