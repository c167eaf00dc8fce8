import { expect, test } from "vitest";
import { provedBy, someSpec } from "../../test/support/spec.ts";
import { type ReplayLimits, replay } from "./backtest.ts";
import type { Entry, LoopEvent, StopReason, TurnEnded, Verdict } from "./loop/events.ts";
import { DEFAULT_LIMITS, type Limits } from "./loop/spec.ts";
import { NO_USAGE } from "./usage.ts";

const CLAIM = { text: "DONE", tag: "promise", start: 0, end: 23, quote: "<promise>DONE</promise>" } as const;

/** One iteration costs $1 and 15 tokens, and takes a minute. */
const turn = (n: number, more: Partial<TurnEnded> = {}): LoopEvent[] => [
  { type: "turn.began", n, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null },
  {
    type: "turn.ended",
    n,
    attempt: 1,
    claim: null,
    doubts: [],
    blocked: null,
    failed: null,
    refused: null,
    usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 5, costUsd: 1 },
    sessionId: null,
    sessionUsage: null,
    source: "text",
    tools: "t",
    model: null,
    ...more,
  },
];
const turns = (last: number): LoopEvent[] => Array.from({ length: last }, (_, i) => turn(i + 1)).flat();
const judged = (n: number, is: Verdict["is"]): LoopEvent => ({
  type: "claim.judged",
  n,
  try: 1,
  verdict: { is, reason: is, checks: [] },
  usage: NO_USAGE,
});
const stopped = (reason: StopReason): LoopEvent => ({ type: "loop.stopped", reason, detail: "" });
const adopted: LoopEvent = { type: "loop.adopted", driver: "engine" };
const verifiedAt = (n: number): LoopEvent[] => [
  ...turns(n - 1),
  ...turn(n, { claim: CLAIM }),
  judged(n, "pass"),
  stopped("verified"),
];
const idle = (n: number): LoopEvent[] => [...turn(n, { tools: "" }), { type: "tree.seen", n, tree: "same" }];

interface Recorded {
  limits?: Partial<Limits>;
  tracked?: boolean;
}

/** Every turn takes a minute, everything else no time. */
async function* journal(past: readonly LoopEvent[], { limits, tracked = false }: Recorded): AsyncGenerator<Entry> {
  const proof = provedBy(["npm test"], { baseline: false });
  const spec = someSpec({ tracked, proof, limits: { ...DEFAULT_LIMITS, ...limits } });
  let [atMs, epoch] = [0, 0];
  const events: LoopEvent[] = [{ type: "loop.started", spec, fingerprints: {} }, adopted, ...past];
  for (const [i, event] of events.entries()) {
    if (event.type === "turn.ended") atMs += 60_000;
    if (event.type === "loop.adopted") epoch++;
    yield { loop: "l", seq: i + 1, epoch, atMs, event };
  }
}

const saved = (iterations: number) => ({
  iterations,
  costUsd: iterations,
  tokens: 15 * iterations,
  ms: 60_000 * iterations,
});
const sooner = (reason: StopReason, iteration: number, of: number, cutOff: boolean) =>
  expect.objectContaining({ is: "sooner", reason, iteration, saved: saved(of - iteration), cutOff });
const same = { is: "same" };
const further = { is: "further" };

test.each<[string, LoopEvent[], ReplayLimits, Recorded, unknown]>([
  ["no other limit changes nothing", verifiedAt(5), {}, {}, same],
  ["a loop that was done by then", verifiedAt(5), { maxIterations: 5 }, {}, same],
  ["a loop that was verified later", verifiedAt(5), { maxIterations: 4 }, {}, sooner("iteration-limit", 4, 5, true)],
  [
    "a loop that was never done",
    [...turns(10), stopped("iteration-limit")],
    { maxIterations: 3 },
    {},
    sooner("iteration-limit", 3, 10, false),
  ],
  ["the same limit", [...turns(10), stopped("iteration-limit")], { maxIterations: 10 }, {}, same],
  ["a looser limit", [...turns(10), stopped("iteration-limit")], { maxIterations: 11 }, {}, further],
  ["no limit at all", [...turns(2), stopped("stuck")], { stuckAfter: null }, {}, further],
  ["a user's decision is not a limit", [...turns(2), stopped("cancelled")], { maxIterations: 90 }, {}, same],
  [
    "a limit replaced by another one",
    [...turns(10), stopped("iteration-limit")],
    { maxIterations: 20, maxCostUsd: 10 },
    {},
    same,
  ],
  ["money", verifiedAt(5), { maxCostUsd: 2 }, {}, sooner("cost-limit", 2, 5, true)],
  ["a cost limit reached with the proof", verifiedAt(5), { maxCostUsd: 5 }, {}, same],
  ["tokens", verifiedAt(5), { maxTokens: 16 }, {}, sooner("token-limit", 2, 5, true)],
  ["time between two turns", verifiedAt(5), { maxMs: 120_000 }, {}, sooner("time-limit", 2, 5, true)],
  ["time in the middle of a turn", verifiedAt(5), { maxMs: 150_000 }, {}, sooner("time-limit", 3, 5, true)],
  [
    "time in the middle of the turn that proved it",
    verifiedAt(1),
    { maxMs: 1_000 },
    {},
    sooner("time-limit", 1, 1, true),
  ],
  [
    "a time limit that interrupted a turn itself",
    [...turn(1, { failed: { kind: "timed-out", detail: "" } }), stopped("time-limit")],
    { maxMs: 59_000 },
    { limits: { maxMs: 59_000 } },
    same,
  ],
  [
    "more time",
    [...turn(1, { failed: { kind: "timed-out", detail: "" } }), stopped("time-limit")],
    { maxMs: 90_000 },
    { limits: { maxMs: 59_000 } },
    further,
  ],
  [
    "no progress, by the tree",
    [...[1, 2, 3, 4, 5].flatMap(idle), stopped("stuck")],
    { stuckAfter: 2 },
    { tracked: true },
    sooner("stuck", 3, 5, false),
  ],
  [
    "a loop resumed beyond the limit, and then verified",
    [
      ...turns(3),
      stopped("iteration-limit"),
      adopted,
      ...turn(4, { claim: CLAIM }),
      judged(4, "pass"),
      stopped("verified"),
    ],
    { maxIterations: 3 },
    { limits: { maxIterations: 3 } },
    sooner("iteration-limit", 3, 4, true),
  ],
])("%s", async (_name, past, limits, recorded, outcome) => {
  expect((await replay(journal(past, recorded), limits)).replay).toEqual(outcome);
});

test("without tree states it is unknown whether a loop was stuck", async () => {
  const past = [...turns(4), stopped("iteration-limit")];
  const unwatched = { tracked: true, limits: { stuckAfter: null, maxIterations: 4 } };
  expect(await replay(journal(past, unwatched), { stuckAfter: 2 })).toMatchObject({ replay: same, blind: true });
  expect(await replay(journal(past, unwatched), { maxIterations: 2 })).toMatchObject({
    replay: { iteration: 2 },
    blind: false,
  });
});

test("the time between the last entry and the stop still counts", async () => {
  async function* late() {
    const limits = { maxMs: 60_005 };
    for await (const entry of journal([...turn(1), stopped("time-limit")], { limits })) {
      yield entry.event.type === "loop.stopped" ? { ...entry, atMs: entry.atMs + 10 } : entry;
    }
  }
  expect((await replay(late(), { maxIterations: 5 })).replay).toEqual(same);
});
