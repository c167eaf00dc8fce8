import { describe, expect, test } from "vitest";
import { faultFor } from "./fault.ts";
import { resetTimeIn } from "./reset-time.ts";

const NOW = Date.UTC(2026, 0, 2, 12, 0);
const at = (text: string) => Date.parse(text);
const later = (ms: number) => NOW + ms;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe("when a limit ends", () => {
  // Sources of the messages: anthropics/claude-code#11429, #15064, #6119, #31916, #21562 and its binary;
  // openai/codex#3899, #3031, #21047 and codex-rs; google-gemini/gemini-cli#13004, #6962; continuedev/continue#11622.
  test.each<[string, number | null]>([
    ["Claude AI usage limit reached|1767362400", 1_767_362_400_000],
    ["You've hit your limit · resets 3pm (Europe/Berlin)", at("2026-01-02T14:00Z")],
    ["You've hit your session limit · resets 4:20am (Europe/Warsaw)", at("2026-01-03T03:20Z")],
    ["You've hit your limit · resets 12:50am (America/Los_Angeles)", at("2026-01-03T08:50Z")],
    ["You've hit your limit · resets Jan 30, 11:30am (Asia/Calcutta)", at("2026-01-30T06:00Z")],
    ["You've hit your weekly limit · resets Jan 5 at 12pm (UTC)", at("2026-01-05T12:00Z")],
    ["Claude usage limit reached. Your limit will reset at 5pm (Europe/Warsaw).", at("2026-01-02T16:00Z")],
    ["You've hit your limit · resets 3pm (Mars/Olympus)", null],
    [
      "Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11 minutes.",
      later(5 * DAY + 22 * HOUR + 11 * MINUTE),
    ],
    ["You've hit your usage limit. Try again in 3 hours 2 minutes.", later(3 * HOUR + 2 * MINUTE)],
    ["try again in less than a minute.", later(MINUTE)],
    ["Rate limit reached for gpt-5. Please try again in 1.5s.", later(1_500)],
    ["Please try again in 6m0s.", later(6 * MINUTE)],
    ["Your quota will reset after 8h44m7s.", later(8 * HOUR + 44 * MINUTE + 7_000)],
    ['"retryDelay": "34.5s"', later(34_500)],
    ["APIError: limited: retry-after: 30", later(30_000)],
    ["You will regain access on 2026-01-05 at 00:00 UTC.", at("2026-01-05T00:00Z")],
    ["API Error: Request rejected (429) · fake 429", null],
    ["Claude AI usage limit reached|1700000000", null],
    ["try again in 99999 days", null],
    ["resets soon", null],
  ])("%s", (message, expected) => {
    expect(resetTimeIn(message, NOW)).toBe(expected);
  });

  test("a time without a zone is local time, as Codex prints it", () => {
    const local = (...time: [number, number, number, number, number]) => new Date(...time).getTime();
    const noon = local(2026, 0, 2, 12, 0);
    expect(resetTimeIn("or try again at Jan 11th, 2026 1:36 PM.", noon)).toBe(local(2026, 0, 11, 13, 36));
    expect(resetTimeIn("or try again at 3:04 PM.", noon)).toBe(local(2026, 0, 2, 15, 4));
    expect(resetTimeIn("or try again at 10:04 AM.", noon)).toBe(local(2026, 0, 3, 10, 4));
  });

  // anthropics/claude-code#74079 and #15064: a limit was still active 10 and 33 minutes after its reset time.
  test.each([
    0,
    1,
    33 * MINUTE,
    59 * MINUTE,
  ])("a limit still active %i ms after its reset time does not last until tomorrow", (ms) => {
    expect(resetTimeIn("You've hit your limit · resets 12pm (UTC)", later(ms))).toBeNull();
    expect(resetTimeIn("You've hit your limit · resets 12pm (UTC)", later(2 * HOUR))).toBe(later(DAY));
  });

  test("nor does it last until the end of the day, just after midnight", () => {
    const midnight = at("2026-01-03T00:10Z");
    expect(resetTimeIn("You've hit your limit · resets 11:30pm (UTC)", midnight)).toBeNull();
    expect(resetTimeIn("You've hit your limit · resets 11pm (UTC)", midnight)).toBe(at("2026-01-03T23:00Z"));
  });

  test("daylight saving time is taken into account", () => {
    const before = at("2026-03-28T20:00Z");
    expect(resetTimeIn("resets 5am (Europe/Berlin)", before)).toBe(at("2026-03-29T03:00Z"));
    expect(resetTimeIn("resets 1:30am (Europe/Berlin)", before)).toBe(at("2026-03-29T00:30Z"));
  });
});

describe("classifying an error", () => {
  test("a structured status takes precedence over the message text", () => {
    expect(faultFor({ message: "unable to connect: overloaded", status: 429 }, "log in", NOW).kind).toBe(
      "rate-limited",
    );
  });

  test("a missing login says how to log in", () => {
    expect(faultFor({ message: "Invalid API key" }, "run x", NOW)).toEqual({
      kind: "auth",
      detail: "Invalid API key; run x",
    });
  });

  test("only a limit has a reset time", () => {
    expect(faultFor({ message: "overloaded, try again in 5 minutes" }, "", NOW)).not.toHaveProperty("retryAtMs");
    expect(faultFor({ message: "rate limit", retryAtMs: later(5) }, "", NOW).retryAtMs).toBe(later(5));
  });

  test.each([5, NOW, NOW * 1_000, Number.MAX_VALUE])("an invalid reset time (%f) is ignored: the text counts", (ms) => {
    expect(faultFor({ message: "rate limit", retryAtMs: ms }, "", NOW)).not.toHaveProperty("retryAtMs");
    const { retryAtMs } = faultFor({ message: "rate limit, try again in 5s", retryAtMs: ms }, "", NOW);
    expect(retryAtMs).toBe(later(5_000));
  });

  test("a message of megabytes is classified quickly", () => {
    expect(faultFor({ message: "input token count ".repeat(200_000) }, "", NOW).kind).toBe("crashed");
  });

  test("a long message becomes one short line", () => {
    const { detail } = faultFor({ message: `a\nb ${"x".repeat(5_000)}` }, "", NOW);
    expect(detail).toMatch(/^a b x+…$/);
    expect(detail.length).toBeLessThan(500);
  });
});
