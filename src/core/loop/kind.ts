import { isTypeIn, type JournalChange, type Kind } from "../subject.ts";
import type { Entry, LoopEvent } from "./events.ts";
import { reduce } from "./reduce.ts";
import { type LoopState, START } from "./state.ts";
import { type KeptEvent, upcast } from "./upcast.ts";
import { foreignDetail } from "./words.ts";

/** The types of the journal of a loop. */
export interface LoopTypes {
  event: LoopEvent;
  state: LoopState;
  entry: Entry;
}

/** An entry of a loop with the states before and after it. */
export type LoopChange = JournalChange<LoopTypes>;

const EVENT_TYPES: Record<LoopEvent["type"], true> = {
  "loop.started": true,
  "loop.adopted": true,
  "session.moved": true,
  "baseline.taken": true,
  "turn.began": true,
  "turn.ended": true,
  "turn.voided": true,
  "tree.seen": true,
  "guards.ended": true,
  "effect.intended": true,
  "effect.settled": true,
  "claim.judged": true,
  "judgement.cut": true,
  "receipt.made": true,
  "journal.foreign": true,
  "notes.dropped": true,
  "stop.requested": true,
  "loop.stopped": true,
};

/** The journal of a loop. */
export const loopKind: Kind<LoopTypes> = {
  name: "loop",
  start: START,
  reduce,
  entryOf: (loop, at) => ({ loop, ...at }),
  opening: "loop.started",
  adoption: "loop.adopted",
  isEvent: isTypeIn(EVENT_TYPES),
  upcast: (event) => upcast(event as KeptEvent),
  isOver: ({ stopped }) => stopped !== null,
  answers: ({ event }) => event.type === "stop.requested",
  refusal: () => null,
  /** The driver's own results stay valid, but they no longer complete the loop. */
  afterForeign: (pending, found) => [
    ...pending.map(({ event }) => event).filter(({ type }) => !CONCLUSIONS.has(type)),
    { type: "journal.foreign", ...found },
    { type: "loop.stopped", reason: "tampered", detail: foreignDetail(found) },
  ],
  // The spec never changes, and may contain a long prompt.
  withoutOpening: (state) => ({ ...state, spec: null }),
  withOpening: (state, { event }) => ({ ...state, spec: event.type === "loop.started" ? event.spec : null }),
};

const CONCLUSIONS: ReadonlySet<LoopEvent["type"]> = new Set(["loop.stopped", "receipt.made"]);

/** All entries of a loop, each with the states before and after it. */
export async function* changesIn(entries: AsyncIterable<Entry>): AsyncGenerator<LoopChange> {
  let before = START;
  for await (const entry of entries) {
    const after = reduce(before, entry);
    yield { entry, before, after };
    before = after;
  }
}
