import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import { turnEnded } from "../../../test/support/turns.ts";
import { NO_USAGE } from "../usage.ts";
import type { Entry, LoopEvent, StopReason } from "./events.ts";
import { maskUrls, recipientName } from "./notes.ts";
import { factsEnvironment, noticeFacts, noticesOf } from "./notices.ts";
import { fold } from "./reduce.ts";
import { STOP_REASONS } from "./stop-reasons.ts";

const HOUR = 3_600_000;
const began: LoopEvent = { type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null };
const requested: LoopEvent = { type: "stop.requested", as: "interrupted", by: "SIGINT" };
const voided = (waitMs: number | null): LoopEvent => ({
  type: "turn.voided",
  n: 1,
  attempt: 1,
  why: "rate-limited",
  detail: "come back later",
  retryAtMs: waitMs,
  usage: NO_USAGE,
});

/** The last of the events as an entry, and the state after it. */
function after(...events: LoopEvent[]) {
  const started: LoopEvent = { type: "loop.started", spec: someSpec({ title: "A task" }), fingerprints: {} };
  const entries = [started, ...events].map((event, seq): Entry => ({ loop: "abc", seq, epoch: 1, atMs: 0, event }));
  return [entries.at(-1) as Entry, fold(entries)] as const;
}

const stopped = (reason: StopReason, ...before: LoopEvent[]) =>
  after(...before, { type: "loop.stopped", reason, detail: "so it is" });

const EXPECTED: Partial<Record<StopReason, string[]>> = {
  verified: ["verified", "completed", "stopped"],
  judged: ["completed", "stopped"],
  "still-green": ["completed", "stopped"],
  "promise-only": ["completed", "stopped"],
  "no-work": ["failed", "stopped"],
  finished: ["stopped"],
  blocked: ["blocked", "failed", "stopped"],
  auth: ["blocked", "failed", "stopped"],
  "agent-missing": ["blocked", "failed", "stopped"],
  "check-missing": ["blocked", "failed", "stopped"],
  "already-green": ["blocked", "failed", "stopped"],
  unverifiable: ["blocked", "failed", "stopped"],
  tampered: ["blocked", "failed", "stopped"],
  cancelled: ["stopped"],
  interrupted: ["stopped"],
};

test.each(STOP_REASONS)("the notices of a stop as %s", (reason) =>
  expect(noticesOf(...stopped(reason, requested))).toEqual(EXPECTED[reason] ?? ["failed", "stopped"]));

test("an interruption without a request counts as a failure", () =>
  expect(noticesOf(...stopped("interrupted"))).toEqual(["failed", "stopped"]));

test.each<[string, LoopEvent[], string[]]>([
  ["a wait of an hour", [began, voided(HOUR)], ["waiting"]],
  ["a wait of a minute", [began, voided(60_000)], []],
  ["an immediate retry", [began, voided(null)], []],
  ["a wait that is too long", [began, voided(7 * HOUR)], []],
  ["the start of a turn", [began], []],
])("%s", (_name, events, notices) => expect(noticesOf(...after(...events))).toEqual(notices));

test("says until when it waits", () =>
  expect(noticeFacts("waiting", ...after(began, voided(HOUR)))).toMatchObject({
    reason: "rate-limited",
    waitUntil: "1970-01-01T01:00:00.000Z",
    text: "ralph waiting: rate-limited: A task. waiting for the agent until 1970-01-01T01:00:00.000Z: come back later (0 iterations), next: ralph status abc",
  }));

test("a completion has its level and weaknesses, any other stop has none", () => {
  const verdict = {
    is: "pass",
    reason: "so",
    checks: [],
    proof: "still-green",
    weak: ["2 test files changed", "b"],
  } as const;
  const judged: LoopEvent = { type: "claim.judged", n: 1, try: 1, verdict, usage: NO_USAGE };
  const facts = noticeFacts("completed", ...stopped("still-green", began, turnEnded(1), judged));
  expect(facts).toMatchObject({ reason: "still-green", proof: "still-green", weak: "2 test files changed; b" });
  expect(facts.text).toMatch(/^ralph still-green \(2 test files changed; b\): A task\. every check passes, as before/);
  expect(factsEnvironment(facts)).toMatchObject({
    RALPH_PROOF: "still-green",
    RALPH_WEAK: "2 test files changed; b",
  });
  const none = factsEnvironment(noticeFacts("failed", ...stopped("no-work", began, turnEnded(1), judged)));
  expect(none).toMatchObject({ RALPH_REASON: "no-work", RALPH_PROOF: "", RALPH_WEAK: "" });
});

test("facts are bounded, and fit into an environment", () => {
  const detail = `\0\u001b[31m${"x".repeat(100_000)}`;
  const facts = noticeFacts("stopped", ...after({ type: "loop.stopped", reason: "blocked", detail }));
  expect(facts.detail.length).toBeLessThan(2_100);
  expect(facts.text.length).toBeLessThanOrEqual(400);
  const environment = factsEnvironment(facts);
  expect(environment).toMatchObject({ RALPH_NOTICE: "stopped", RALPH_COST_USD: "0", RALPH_WAIT_UNTIL: "" });
  expect(Object.values(environment).join("")).not.toMatch(/[\0\u001b]/);
});

test.each([
  ["https://hooks.slack.com/services/T0/B0/x", "https://hooks.slack.com/…"],
  ["https://example.com:8443?token=x", "https://example.com:8443/…"],
  ["http://ada:secret@h/x", "http://h/…"],
  ["curl -d @- 'https://h/x' && echo ok", "curl -d @- 'https://h/…' && echo ok"],
  ["no url", "no url"],
])("%s is shown as %s", (text, shown) => expect(maskUrls(text)).toBe(shown));

test("a hook is named by its position", () =>
  expect(recipientName({ on: [], run: { command: "curl secret" } }, 2)).toBe("notify[2] (command)"));
