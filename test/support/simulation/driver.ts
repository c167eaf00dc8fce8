import { RalphError } from "../../../src/core/errors.ts";
import type { Seal } from "../../../src/core/journals.ts";
import type { CheckResult, Entry, LoopEvent } from "../../../src/core/loop/events.ts";
import { fold } from "../../../src/core/loop/reduce.ts";
import type { LoadedLoop, LoopStore } from "../../../src/core/loop/store.ts";
import { NO_USAGE } from "../../../src/core/usage.ts";
import type { EnginePorts, TurnRequest, TurnResult } from "../../../src/engine/ports.ts";
import { type Script, TURN_MS, TURN_USAGE, type World } from "./world.ts";

/** A driver's path through its boundaries: before and after each effect on the world and each write. */
export type Boundary = () => Promise<void> | undefined;

/** A rule of the engine was broken. */
export class Violation extends Error {}

function insist(holds: boolean, rule: string): void {
  if (!holds) throw new Violation(rule);
}

/** Entries since the loop last stopped: a user's resume may judge a claim again. */
function sinceStop({ journal }: World): Entry[] {
  return journal.slice(journal.findLastIndex(({ event }) => event.type === "loop.stopped") + 1);
}

const isWritten = (entries: readonly Entry[], matches: (event: LoopEvent) => boolean): boolean =>
  entries.some(({ event }) => matches(event));

/** The next driver takes the loop, for a host's session if one is given; the first one creates it. */
export async function adopt(world: World, boundary: Boundary, session?: string): Promise<LoadedLoop> {
  await boundary();
  const { journal, spec } = world;
  const note = (event: LoopEvent) =>
    write(world, [{ loop: "sim", seq: journal.length + 1, epoch: world.epoch, atMs: world.nowMs, event }]);
  if (journal.length === 0) note({ type: "loop.started", spec, fingerprints: {} });
  await boundary();
  world.epoch++;
  note({ type: "loop.adopted", ...(session ? { driver: "host", sessionId: session } : { driver: "engine" }) });
  await boundary();
  return loadedIn(world);
}

/** Only drivers write into this journal. */
const NO_SEAL: Seal = { head: "", prev: "", first: "", isChained: true, row: "", snapshot: "" };

/** The loop as its driver has loaded it. */
export const loadedIn = ({ journal, epoch, state }: World): LoadedLoop => ({
  ...{ id: "sim", seq: journal.length, epoch, state, atMs: state.atMs, seal: NO_SEAL },
});

function write(world: World, entries: readonly Entry[]): void {
  world.journal.push(...entries);
  world.state = fold(entries, world.state);
}

/** A journal that refuses an entry out of sequence, like the real one. */
const fencedStore = (world: World, boundary: Boundary): Pick<LoopStore, "append" | "disown"> => ({
  async append(fence, entries) {
    await boundary();
    const moved = fence.seq !== world.journal.length || fence.epoch !== world.epoch;
    if (moved) throw new RalphError("fenced", "the loop moved on");
    write(world, entries);
    await boundary();
    return NO_SEAL;
  },
  disown: () => Promise.reject(new Violation("no other process wrote")),
});

export function simulatedPorts(world: World, boundary: Boundary): EnginePorts {
  const { script } = world;
  const isStopping = () => world.steps >= world.stopAtStep;
  return {
    now: () => world.nowMs,
    random: () => 0.5,
    stop: {
      request: () => (isStopping() ? { as: "cancelled", by: "the test" } : null),
    },
    store: fencedStore(world, boundary),
    // The driver that moved on has the lease.
    lease: { isHeld: () => false, lost: new AbortController().signal },
    makeReceipt: async () => null,
    newTurn: (n, attempt) => ({ runToken: `sim/${world.epoch}/${n}/${attempt}`, log: null, nonce: null }),
    async takeBaseline() {
      insist(!isWritten(sinceStop(world), (e) => e.type === "baseline.taken"), "a baseline is taken once");
      await boundary();
      world.nowMs += 10;
      if (isStopping()) return null;
      await boundary();
      return { results: [baselineResult(script)], head: "", tree: "the tree at first" };
    },
    notesToDrop: () => new Set(),
    readPrompt: async () => "Do it.",
    async runTurn(request) {
      await boundary();
      beginRun(world, request);
      await boundary();
      const result = isStopping() ? cutShort(request) : resultOf(world, request);
      world.alive.delete(request.runToken);
      await boundary();
      return result;
    },
    async runGuards(n) {
      insist(
        !isWritten(world.journal, (e) => e.type === "guards.ended" && e.n === n),
        "guardrails that ended are not run again",
      );
      await boundary();
      world.nowMs += 10;
      if (isStopping()) return null;
      await boundary();
      return [checkResult("guard", script.guardPasses?.(n) ?? true)];
    },
    async lookAtTree() {
      const { n } = world.state;
      const seen = isWritten(world.journal, (e) => e.type === "tree.seen" && e.n === n);
      const guarded = isWritten(world.journal, (e) => e.type === "guards.ended" && e.n === n);
      // Once after the turn, and once after the guardrails if the turn did no work.
      insist(!seen || (!guarded && world.state.turn?.tree === world.state.untouched), "no tree is read again");
      await boundary();
      if (isStopping()) return { tree: null };
      return { tree: script.work?.(n) ?? `work of ${n}` };
    },
    async judge(state) {
      const nth = (state.turn?.judged ?? 0) + 1;
      const again = isWritten(sinceStop(world), (e) => e.type === "claim.judged" && e.n === state.n && e.try === nth);
      insist(!again && nth <= 2, "a judgement that ended is not made again");
      await boundary();
      world.nowMs += 10;
      if (isStopping()) return { verdict: null, usage: NO_USAGE };
      await boundary();
      const { is, tampered } = script.verdict?.(state.n, nth) ?? { is: "pass" as const };
      const reason = `${is} for a reason`;
      const proof = is === "pass" ? { proof: "verified" as const } : {};
      return { verdict: { is, reason, checks: [], ...proof, ...(tampered ? { tampered } : {}) }, usage: NO_USAGE };
    },
    async effectBefore() {
      await boundary();
      return `after ${world.effects.length}`;
    },
    async performEffect({ key, effect }) {
      insist(
        !isWritten(world.journal, (e) => e.type === "effect.settled" && e.key === key),
        "an effect that is settled stays so",
      );
      await boundary();
      const name = `${effect.kind} ${key}`;
      const done = world.effects.includes(name);
      if (!done) world.effects.push(name);
      await boundary();
      return { is: "done", detail: name, usage: NO_USAGE };
    },
    async recoverTurn({ runToken }) {
      await boundary();
      world.alive.delete(runToken);
      await boundary();
      return { usage: world.paid.get(runToken) ?? NO_USAGE };
    },
    async waitUntil(ms) {
      await boundary();
      if (!isStopping()) world.nowMs = Math.max(world.nowMs, ms);
      await boundary();
    },
  };
}

function beginRun(world: World, { n, attempt, runToken, prompt, sessionId }: TurnRequest): void {
  insist(world.alive.size === 0, "one agent at a time");
  insist(!isWritten(world.journal, (e) => e.type === "turn.ended" && e.n === n), "a turn that ended is not run again");
  const last = sinceStop(world).at(-2)?.event;
  const rests = last?.type === "turn.voided" && last.retryAtMs !== null && world.nowMs < last.retryAtMs;
  insist(!rests, "an agent is not asked before the time it named");
  world.alive.add(runToken);
  world.runs.push({ n, attempt, prompt, sessionId });
  world.paid.set(runToken, TURN_USAGE);
  world.nowMs += TURN_MS;
}

/** The result of a turn that is not interrupted. */
export function resultOf({ script, nowMs }: World, { n, sessionId }: Pick<TurnRequest, "n" | "sessionId">): TurnResult {
  const text = "<promise>DONE</promise>";
  const claim = script.claims(n)
    ? { start: 0, end: text.length, quote: text, text: "DONE", tag: "promise" as const }
    : null;
  return {
    reading: { claim, blocked: script.blocks?.(n) ? "no key" : null, doubts: [] },
    ...(script.finds?.(n) ? { review: { review: { approved: false, findings: [`fault of ${n}`] } } } : {}),
    source: "stream",
    fault: script.fault?.(n, nowMs) ?? null,
    refused: null,
    usage: TURN_USAGE,
    sessionId: sessionId ?? `session of ${n}`,
    sessionUsage: null,
    tools: script.tools?.(n) ?? "tools",
    model: null,
  };
}

const cutShort = ({ sessionId }: TurnRequest): TurnResult => ({
  reading: { claim: null, blocked: null, doubts: [] },
  source: "stream",
  fault: { kind: "interrupted", detail: "" },
  refused: null,
  usage: TURN_USAGE,
  sessionId,
  sessionUsage: null,
  tools: null,
  model: null,
});

const baselineResult = ({ baseline = "fail" }: Script): CheckResult => ({
  ...checkResult("check", false),
  is: baseline,
});

const checkResult = (name: string, passes: boolean): CheckResult => ({
  name,
  command: name,
  is: passes ? "pass" : "fail",
  code: passes ? 0 : 1,
  reason: `exit code ${passes ? 0 : 1}`,
  excerpt: "",
  log: null,
  ms: 10,
});
