import { expect, test } from "vitest";
import { sinceIn, spanWords } from "./since.ts";

const HOUR = 3_600_000;

test.each<[string, object]>([
  ["12h", { agoMs: 12 * HOUR }],
  ["7d", { agoMs: 7 * 24 * HOUR }],
  ["1.5h", { agoMs: 1.5 * HOUR }],
  ["2026-11-18", { atMs: new Date("2026-11-18T00:00:00").getTime() }],
  ["2026-11-18T22:00", { atMs: new Date("2026-11-18T22:00:00").getTime() }],
  ["2026-11-18 22:00:30", { atMs: new Date("2026-11-18T22:00:30").getTime() }],
  ["2026-11-18T22:00Z", { atMs: Date.UTC(2026, 10, 18, 22) }],
  ["2026-11-18T22:00+02:00", { atMs: Date.UTC(2026, 10, 18, 20) }],
])("%s is understood", (text, value) => expect(sinceIn(text)).toEqual({ value }));

test.each([
  "",
  "0h",
  "yesterday",
  "12x",
  "-3h",
  "2026-13-01",
  "2026-02-30",
  "18.11.2026",
  "2026-11-18T25:00",
  "last",
])("%s is refused, with examples", (text) =>
  expect(sinceIn(text)).toEqual({ expected: expect.stringContaining("12h or 7d, or a date") }));

test.each([
  [90 * 60_000, "1h 30m"],
  [12 * HOUR, "12h"],
  [24 * HOUR, "24h"],
  [72 * HOUR, "3 days"],
  [-5, "0ms"],
])("%i ms are %s", (ms, words) => expect(spanWords(ms)).toBe(words));
