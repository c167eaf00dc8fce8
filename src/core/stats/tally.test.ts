import fc from "fast-check";
import { expect, test } from "vitest";
import { provedBy, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import { claimJudged, turnBegan, turnEnded } from "../../../test/support/turns.ts";
import type { CheckResult, Entry, LoopEvent, StopReason, TurnEnded, Verdict } from "../loop/events.ts";
import type { LoopSpec } from "../loop/spec.ts";
import { isLevel, LEVELS } from "../proof/level.ts";
import { AGENT_ROLES, type AgentRole } from "../task/role.ts";
import { NO_USAGE } from "../usage.ts";
import { readLoop } from "./reading.ts";
import type { Stats } from "./stats.ts";
import { completedIn } from "./sums.ts";
import { MOST_ITERATIONS, tally } from "./tally.ts";

const began = turnBegan;
const claimed = turnEnded;
const ended = (n: number, turn: Partial<TurnEnded> = {}): LoopEvent => turnEnded(n, { claim: null, ...turn });
const judged = (n: number, verdict: Partial<Verdict>): LoopEvent =>
  claimJudged(n, verdict, { ...NO_USAGE, outputTokens: 5, costUsd: 0.25 });

const result = (name: string, is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  name,
  command: name,
  is,
  code: null,
  reason: "",
  excerpt: "",
  log: null,
  ms: 1,
  ...more,
});

const stopped = (reason: StopReason): LoopEvent => ({ type: "loop.stopped", reason, detail: "" });

/** Entries are one second apart. */
async function* journal(events: readonly LoopEvent[], spec: LoopSpec = someSpec()): AsyncGenerator<Entry> {
  const all: LoopEvent[] = [{ type: "loop.started", spec, fingerprints: {} }, ...events];
  for (const [i, event] of all.entries()) yield { loop: "l", seq: i + 1, epoch: 0, atMs: 1_000 * (i + 1), event };
}

interface Past {
  events: readonly LoopEvent[];
  part?: { task: string; place: AgentRole };
  spec?: LoopSpec;
}

async function statsOf(...loops: readonly Past[]): Promise<Stats> {
  const all = tally();
  for (const [i, { events, part = null, spec }] of loops.entries()) {
    const one = all.loop({ id: `loop-${i}`, title: "a loop", part });
    one.end(await readLoop(journal(events, spec), one.iteration));
  }
  return all.stats(() => null);
}

const guarded = someSpec({ guardrails: [someGuardrail({ name: "lint" })] });
const guards = (n: number, is: CheckResult["is"]): LoopEvent => ({
  type: "guards.ended",
  n,
  results: [result("lint", is)],
});

test.each<[string, LoopEvent[], string, [string, string][], LoopSpec?]>([
  ["a verified claim", [claimed(1), judged(1, { is: "pass", proof: "verified" })], "verified", []],
  ["a judged claim", [claimed(1), judged(1, { is: "pass", proof: "judged" })], "judged", []],
  [
    "a claim whose checks passed before",
    [claimed(1), judged(1, { is: "pass", proof: "still-green" })],
    "still-green",
    [],
  ],
  ["an unchecked claim", [claimed(1), judged(1, { is: "pass" })], "promise-only", []],
  [
    "a claim without work, even if the checks pass",
    [claimed(1, { tools: "" }), judged(1, { is: "pass", proof: "still-green", checks: [result("npm test", "pass")] })],
    "refused",
    [["no-work", "no work was done"]],
    someSpec({ tracked: false, proof: provedBy(["npm test"], { zeroWorkGuard: true }) }),
  ],
  [
    "failing checks by name, without optional ones",
    [
      claimed(1),
      judged(1, {
        checks: [result("npm test", "fail"), result("lint", "pass"), result("docs", "fail", { optional: true })],
      }),
    ],
    "refused",
    [["check", "npm test"]],
  ],
  [
    "an unconvinced judge, and a broken rule",
    [
      claimed(1),
      judged(1, {
        brokenRules: ["new-commit", "committed"],
        checks: [result("j", "fail", { findings: [] })],
      }),
    ],
    "refused",
    [
      ["judge", "j"],
      ["rule", "no commit"],
      ["rule", "uncommitted files"],
    ],
  ],
  [
    "tampering, even if the checks pass",
    [claimed(1), judged(1, { tampered: [{ path: "a", change: "changed" }], checks: [result("npm test", "fail")] })],
    "refused",
    [["tampering", "tampering"]],
  ],
  [
    "a check that could not run",
    [claimed(1), judged(1, { is: "unknown", checks: [result("npm test", "unknown")] })],
    "undecided",
    [["unknown", "npm test"]],
  ],
  ["a guardrail", [claimed(1), guards(1, "fail")], "refused", [["guardrail", "lint"]], guarded],
  ["guardrails that have not run yet", [claimed(1)], "open", [], guarded],
  ["a claim that is not judged yet", [claimed(1), guards(1, "pass")], "open", [], guarded],
  [
    "the agent's own words",
    [claimed(1, { doubts: [{ is: "contradicted", rule: "r", quote: "q", start: 0, end: 1 }] })],
    "refused",
    [["contradiction", "the agent's own words"]],
  ],
  [
    "faults found by a reviewer",
    [ended(1, { review: { approved: false, findings: ["x"] } })],
    "faults-found",
    [["faults", "faults found in the work"]],
  ],
  ["no claim", [ended(1)], "no-claim", []],
  ["a block", [ended(1, { blocked: "no key" })], "blocked", []],
  ["a timeout", [ended(1, { failed: { kind: "timed-out", detail: "" } })], "timed-out", []],
  ["a crash", [ended(1, { failed: { kind: "crashed", detail: "" } })], "failed", []],
  ["a running turn", [], "open", []],
])("the result of an iteration: %s", async (_name, events, outcome, reasons, spec) => {
  const stats = await statsOf({ events: [began(1), ...events], ...(spec ? { spec } : {}) });
  expect(stats.iterations.map((iteration) => iteration.outcome)).toEqual([outcome]);
  expect(stats.reasons.map(({ kind, name }) => [kind, name])).toEqual(reasons);
});

test("a task in numbers: stages, claims, the cost of refused ones, and later events", async () => {
  const coder = [
    began(1),
    claimed(1),
    judged(1, { checks: [result("npm test", "fail")] }),
    began(2),
    claimed(2),
    judged(2, { is: "pass", proof: "verified" }),
    stopped("verified"),
  ];
  const reviewer = [began(1), claimed(1), judged(1, { is: "pass" }), stopped("promise-only")];
  const stats = await statsOf(
    { events: coder, part: { task: "T-1", place: "coder" } },
    { events: reviewer, part: { task: "T-1", place: "reviewer" } },
    { events: [began(1), ended(1), stopped("cancelled")] },
  );
  expect(stats.tasks).toMatchObject([
    {
      task: "T-1",
      loops: 2,
      verified: 1,
      levels: { verified: 1, judged: 0, "still-green": 0, "promise-only": 1 },
      iterations: 3,
      costUsd: 2.25,
      tokens: 315,
      claims: { accepted: 2, refused: 1, undecided: 0 },
      firstClaims: { accepted: 1, refused: 1, undecided: 0 },
      refused: { costUsd: 0.75, tokens: 105 },
      stages: { coder: { loops: 1, iterations: 2, costUsd: 1.5 }, reviewer: { iterations: 1, costUsd: 0.75 } },
    },
  ]);
  expect(stats.own).toMatchObject([{ loop: "loop-2", reason: "cancelled", iterations: 1, costUsd: 0.5 }]);
  expect(stats.stages.map(({ place, toCompletion }) => [place, toCompletion?.median ?? null])).toEqual([
    ["coder", 2],
    ["reviewer", 1],
    ["own", null],
  ]);
  expect(stats.stops).toEqual([
    { reason: "cancelled", loops: 1 },
    { reason: "promise-only", loops: 1 },
    { reason: "verified", loops: 1 },
  ]);
});

test("an environment failure uses no iteration, and waiting is not working time", async () => {
  const voided: LoopEvent = {
    type: "turn.voided",
    n: 1,
    attempt: 1,
    why: "rate-limited",
    detail: "",
    retryAtMs: 4_000,
    usage: NO_USAGE,
  };
  const again = { ...claimed(1), attempt: 2 } as LoopEvent;
  const { totals } = await statsOf({ events: [began(1), voided, began(1, 2), again, judged(1, { is: "pass" })] });
  expect(totals).toMatchObject({ iterations: 1, troubles: 1, waitMs: 1_000, workMs: 4_000, running: 1 });
});

test("how the iterations to completion are distributed", async () => {
  const takes = (n: number): Past => ({
    events: [
      ...Array.from({ length: n - 1 }, (_, i) => [began(i + 1), ended(i + 1)]).flat(),
      began(n),
      claimed(n),
      judged(n, { is: "pass" }),
      stopped("verified"),
    ],
  });
  const stats = await statsOf(...[1, 1, 2, 2, 2, 3, 4, 9, 1, 2].map(takes));
  expect(stats.stages[0]?.toCompletion).toEqual({
    counts: [
      { iterations: 1, loops: 3 },
      { iterations: 2, loops: 4 },
      { iterations: 3, loops: 1 },
      { iterations: 4, loops: 1 },
      { iterations: 9, loops: 1 },
    ],
    median: 2,
    p90: 4,
    max: 9,
  });
});

test("a large number of iterations is summed up, and the newest are kept", async () => {
  const events = Array.from({ length: MOST_ITERATIONS + 5 }, (_, i) => [began(i + 1), ended(i + 1)]).flat();
  const { totals, iterations, iterationsLeftOut } = await statsOf({ events });
  expect([totals.iterations, iterations.length, iterationsLeftOut]).toEqual([MOST_ITERATIONS + 5, MOST_ITERATIONS, 5]);
});

const kinds = ["none", "refused", "accepted", "failed", "open"] as const;
const somePast = fc.record({
  place: fc.option(fc.constantFrom(...AGENT_ROLES)),
  task: fc.constantFrom("A", "B", "C"),
  iterations: fc.array(fc.constantFrom(...kinds), { maxLength: 6 }),
  reason: fc.option(fc.constantFrom<StopReason>(...LEVELS, "stuck", "iteration-limit")),
});

function eventsOf(iterations: readonly (typeof kinds)[number][]): LoopEvent[] {
  return iterations.flatMap((kind, i): LoopEvent[] => {
    const n = i + 1;
    if (kind === "open") return [began(n)];
    if (kind === "none") return [began(n), ended(n)];
    if (kind === "failed") return [began(n), ended(n, { failed: { kind: "timed-out", detail: "" } })];
    return [began(n), claimed(n), judged(n, { is: kind === "accepted" ? "pass" : "fail" })];
  });
}

const AMOUNTS = ["costUsd", "tokens", "workMs", "waitMs"] as const;
const FIELDS = ["loops", "iterations", ...AMOUNTS] as const;

const sumOf = <Field extends string>(rows: readonly Record<Field, number>[], field: Field): number =>
  rows.reduce((all, row) => all + row[field], 0);

test("every breakdown adds up to the totals", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(somePast, { maxLength: 8 }), async (pasts) => {
      const stats = await statsOf(
        ...pasts.map(({ place, task, iterations, reason }) => ({
          events: [...eventsOf(iterations), ...(reason ? [stopped(reason)] : [])],
          ...(place ? { part: { task, place } } : {}),
        })),
      );
      for (const field of FIELDS) {
        const total = expect.closeTo(stats.totals[field], 6);
        expect(sumOf([...stats.tasks, ...stats.own], field)).toEqual(total);
        expect(sumOf(stats.stages, field)).toEqual(total);
        for (const { stages, ...task } of stats.tasks)
          expect(sumOf(Object.values(stages), field)).toEqual(expect.closeTo(task[field], 6));
      }
      for (const field of AMOUNTS) expect(sumOf(stats.days, field)).toEqual(expect.closeTo(stats.totals[field], 6));
      const completed = stats.stops.filter(({ reason }) => isLevel(reason));
      expect(completedIn(stats.totals)).toBe(sumOf(completed, "loops"));
      expect(stats.totals.verified).toBe(stats.totals.levels.verified);
      for (const level of LEVELS) {
        const total = stats.totals.levels[level];
        expect(stats.stages.reduce((all, { levels }) => all + levels[level], 0)).toBe(total);
        expect(stats.stops.find(({ reason }) => reason === level)?.loops ?? 0).toBe(total);
      }
      expect(stats.stops.reduce((all, { loops }) => all + loops, 0)).toBe(stats.totals.loops - stats.totals.running);
    }),
    { numRuns: 60 },
  );
});
