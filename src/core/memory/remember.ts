import { shorten } from "../excerpt.ts";
import type { CheckResult, LoopEvent, TurnEnded } from "../loop/events.ts";
import type { LoopState, Turn } from "../loop/state.ts";
import { type CheckMemory, type Memory, MOST, NO_MEMORY, remembers } from "./memory.ts";

/** The state with what one more event adds to the memory; `before` is the state without the event. */
export function remembered(before: LoopState, after: LoopState, event: LoopEvent): LoopState {
  if (!remembers(after)) return after;
  const known = after.memory ?? NO_MEMORY;
  const memory = memoryAfter(known, event, { before, after });
  return memory === known ? after : { ...after, memory };
}

function memoryAfter(memory: Memory, e: LoopEvent, { before, after }: { before: LoopState; after: LoopState }): Memory {
  switch (e.type) {
    case "baseline.taken":
      return withChecks(memory, e.results, 0);
    case "turn.began":
      return e.commits ? { ...memory, commits: e.commits } : memory;
    case "turn.ended":
      return hasEnded(before.turn, after.turn) ? withWords(memory, e) : memory;
    case "tree.seen":
      return hasLooked(before.turn, after.turn) ? withChanges(memory, e) : memory;
    case "guards.ended":
      return after.turn?.guards === e.results ? withChecks(memory, e.results, e.n) : memory;
    case "claim.judged":
      return after.turn?.verdict === e.verdict ? withChecks(memory, e.verdict.checks, e.n) : memory;
    case "notes.dropped":
      return { ...memory, notes: memory.notes.filter(({ id }) => !e.notes.includes(id)) };
    default:
      return memory;
  }
}

function withWords(memory: Memory, { n, said, notes = [] }: TurnEnded): Memory {
  const heard = said === undefined ? memory : { ...memory, said: { n, text: said } };
  return notes.reduce((before, text) => withNote(before, n, text), heard);
}

/** A note that is already there is not added again. */
function withNote(memory: Memory, n: number, text: string): Memory {
  if (memory.notes.some((note) => note.text === text)) return memory;
  const id = memory.lastNote + 1;
  return { ...memory, lastNote: id, notes: [...memory.notes, { id, n, text }].slice(-MOST.notes) };
}

const hasEnded = (before: Turn | null, after: Turn | null): boolean => after?.ended === true && !before?.ended;

const hasLooked = (before: Turn | null, after: Turn | null): boolean => after?.looked === true && !before?.looked;

/** An unchanged snapshot is not compared again. */
function withChanges(memory: Memory, { n, snapshot = null, changed }: LoopEvent & { type: "tree.seen" }): Memory {
  if (changed) return { ...memory, snapshot, changed: { ...changed, n } };
  const same = snapshot !== null && snapshot === memory.snapshot;
  return same ? memory : { ...memory, snapshot: null, changed: null };
}

/** The checks that ran longest ago are dropped first. */
function withChecks(memory: Memory, results: readonly CheckResult[], n: number): Memory {
  if (results.length === 0) return memory;
  const checks = new Map(Object.entries(memory.checks));
  for (const result of results) {
    const name = shorten(result.name, MOST.nameChars);
    checks.delete(name);
    checks.set(name, checkMemory(result, n));
  }
  return { ...memory, checks: Object.fromEntries([...checks].slice(-MOST.checks)) };
}

const checkMemory = ({ is, reason }: CheckResult, n: number): CheckMemory => ({
  n,
  is,
  reason: is === "pass" ? "" : shorten(reason, MOST.reasonChars),
});
