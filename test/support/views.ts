import fc from "fast-check";
import { STOP_REASONS } from "../../src/core/loop/stop-reasons.ts";
import { LEVELS } from "../../src/core/proof/level.ts";
import { LOOP_ROLES } from "../../src/core/task/role.ts";
import { TASK_STATUSES } from "../../src/core/task/task.ts";
import type { BoardView } from "../../src/core/view/board.ts";
import type { Card } from "../../src/core/view/card.ts";
import { LANE_OF } from "../../src/core/view/lanes.ts";
import type { LoopLine } from "../../src/core/view/loop-line.ts";
import type { Tone } from "../../src/core/view/tones.ts";
import { totalsOf } from "../../src/core/view/totals.ts";

/** The moment at which random views are looked at. */
export const NOW = Date.UTC(2026, 2, 1, 12);

const TONES = ["plain", "active", "good", "warn", "bad", "dim"] as const satisfies readonly Tone[];
/** Titles whose cells terminals do not agree about, and ones that are too long. */
const words = fc
  .oneof(
    fc.constantFrom(
      "Implement authentication",
      "修复登录页面",
      "⚠️ flags 🇩🇪 and 👩‍👩‍👧",
      "cafe\u0301 ☎️",
      "",
      "ＦＵＬＬ",
      "x".repeat(200),
    ),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  )
  .map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ""));
const ids = fc.stringMatching(/^[A-Z]{1,6}-\d{1,4}$/);
const agoMs = fc.integer({ min: 0, max: 10 * 86_400_000 });
const moment = agoMs.map((ms) => NOW - ms);
const perhaps = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const criteria = perhaps(fc.nat(12).chain((of) => fc.record({ proved: fc.nat(of), of: fc.constant(of) })));
const doing = perhaps(
  fc.record({
    kind: fc.constantFrom("tool" as const, "check" as const, "effect" as const),
    text: words,
    sinceMs: moment,
  }),
);
const live = {
  doing,
  turnBeganMs: perhaps(moment),
  heardMs: perhaps(moment),
  agent: fc.constantFrom("", "claude", "codex", "./agent.sh"),
  model: perhaps(fc.constantFrom("sonnet-4", "gpt-5.4-codex-high")),
};

export const card: fc.Arbitrary<Card> = fc
  .record({
    id: ids,
    title: words,
    spec: fc.constantFrom("work", "auth"),
    status: fc.constantFrom(...TASK_STATUSES),
    priority: fc.nat(9),
    tone: fc.constantFrom(...TONES),
    badge: fc.constantFrom(
      "ready",
      "🔄 Coder (3/15)",
      "⏳ Reviewer (12/150)",
      "⏸ Conflicts",
      "✓ verified",
      "blocked",
      "after T-1",
    ),
    place: perhaps(fc.constantFrom(...LOOP_ROLES, "merge" as const)),
    loop: perhaps(fc.stringMatching(/^[0-9a-f]{8}$/)),
    iteration: fc.nat(200),
    maxIterations: perhaps(fc.nat(200)),
    attempt: fc.integer({ min: 1, max: 5 }),
    proved: criteria,
    proof: perhaps(fc.constantFrom(...LEVELS)),
    costUsd: fc.constantFrom(0, 0.001, 1.2, 1234.5),
    tokens: fc.nat(1_000_000),
    updatedMs: moment,
    sinceMs: moment,
    waitUntilMs: perhaps(agoMs.map((ms) => NOW + ms)),
    held: fc.boolean(),
    driven: fc.boolean(),
    waitsFor: fc.array(ids, { maxLength: 2 }),
    why: words,
    ...live,
  })
  .map((one) => ({ ...one, lane: LANE_OF[one.status], label: one.badge.replace(/^(🔄|⏳|⏸|✓) /u, "") }));

export const loopLine: fc.Arbitrary<LoopLine> = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{8}$/),
  door: fc.constant("harness" as const),
  part: fc.constant(null),
  run: perhaps(fc.record({ run: fc.stringMatching(/^[0-9a-f]{8}$/), part: words })),
  iteration: fc.nat(200),
  maxIterations: perhaps(fc.nat(200)),
  proved: criteria,
  title: words,
  status: fc.constantFrom("running", "waiting", "stopped"),
  reason: perhaps(fc.constantFrom(...STOP_REASONS)),
  proof: perhaps(fc.constantFrom(...LEVELS)),
  tone: fc.constantFrom(...TONES),
  badge: fc.constantFrom("🔄 running (3/15)", "✓ verified", "■ iteration-limit"),
  why: words,
  driven: fc.boolean(),
  costUsd: fc.constantFrom(0, 3.2),
  tokens: fc.nat(1_000_000),
  waitUntilMs: perhaps(agoMs.map((ms) => NOW + ms)),
  createdMs: moment,
  updatedMs: moment,
  ...live,
});

/** Any view: what the board's faces must be able to show. */
export const boardView: fc.Arbitrary<BoardView> = fc
  .record({
    cards: fc.uniqueArray(card, { maxLength: 60, selector: ({ id }) => id }),
    loops: fc.uniqueArray(loopLine, { maxLength: 6, selector: ({ id }) => id }),
    free: fc.nat(3),
    executions: fc.nat(2),
  })
  .map(({ cards, loops, free, executions }): BoardView => {
    const driven = cards.filter(({ driven, lane }) => driven && lane !== "todo" && lane !== "done");
    const share = Math.ceil(driven.length / Math.max(1, executions));
    const lines = Array.from({ length: executions }, (_, i) => {
      const own = driven.slice(i * share, (i + 1) * share).slice(0, 6);
      const slots = own.map(({ id, sinceMs }) => ({ task: id, sinceMs }));
      const holder = { pid: 1, machine: "here" };
      const merging = own.filter(({ place }) => place === "merge").map(({ id }) => id);
      return {
        id: `e${i}`,
        holder,
        startedMs: NOW,
        target: "main",
        slots: [...slots, ...Array<null>(free).fill(null)],
        merging,
      };
    });
    return { at: 1, cards, executions: lines, loops, totals: totalsOf(cards, loops), todayUsd: 4.5 };
  });

/** A card with some facts, and nothing else to say. */
export function cardLike(facts: Partial<Card> & { id: string }): Card {
  const status = facts.status ?? "todo";
  const still = { loop: null, iteration: 0, maxIterations: null, attempt: 1, proved: null, proof: null };
  const idle = { waitUntilMs: null, held: false, driven: false, waitsFor: [], why: "", doing: null, turnBeganMs: null };
  return {
    ...{ title: "A task", spec: "work", status, priority: 1, tone: "plain", badge: status, label: status, place: null },
    ...{ ...still, costUsd: 0, tokens: 0, updatedMs: NOW, sinceMs: NOW },
    ...{ ...idle, heardMs: null, agent: "", model: null, ...facts, lane: LANE_OF[status] },
  };
}

/** A loop outside tasks that runs. */
export const loopLike = (facts: Partial<LoopLine> & { id: string }): LoopLine => ({
  ...{ door: "harness", part: null, run: null, iteration: 1, maxIterations: 10, proved: null, title: "A loop" },
  ...{
    status: "running",
    reason: null,
    proof: null,
    tone: "active",
    badge: "🔄 running (1/10)",
    why: "",
    driven: true,
  },
  ...{ costUsd: 0, tokens: 0, waitUntilMs: null, createdMs: NOW, updatedMs: NOW, agent: "", model: null },
  ...{ turnBeganMs: null, doing: null, heardMs: null, ...facts },
});
