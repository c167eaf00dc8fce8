import { expect, test } from "vitest";
import { pulseIn } from "./pulse-row.ts";

const loop = (text: string) => pulseIn({ kind: "loop", id: "ab12", atMs: 1, text });
const execution = (pulse: object) =>
  pulseIn({ kind: "execution", id: "ab12", atMs: 1, text: JSON.stringify(pulse) })?.pulse;

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
