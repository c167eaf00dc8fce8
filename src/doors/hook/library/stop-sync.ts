import { decide } from "../../../core/loop/decide.ts";
import type { Entry, LoopEvent, StopRequest } from "../../../core/loop/events.ts";
import { reduce } from "../../../core/loop/reduce.ts";
import type { Journal, LoadedLoop } from "../../../core/store.ts";
import { NO_USAGE } from "../../../core/usage.ts";

/** Facts about a loop, each taken in as it comes; `write` makes them durable, all at once. */
export function factsOf(loop: LoadedLoop, journal: Journal) {
  const entries: Entry[] = [];
  let { state } = loop;
  return {
    state: () => state,
    note(event: LoopEvent) {
      const atMs = Math.max(Date.now(), state.atMs);
      const entry: Entry = { loop: loop.id, seq: loop.seq + entries.length + 1, epoch: loop.epoch, atMs, event };
      entries.push(entry);
      state = reduce(state, entry);
    },
    write: () => journal.append(loop, entries, state),
  };
}

/** Stops a loop that nobody is at, without waiting for anything. False: it takes more than words to stop it. */
export function stopAtOnce(journal: Journal, id: string, request: StopRequest): boolean {
  const { state, note, write } = factsOf(journal.load(id), journal);
  if (state().stopped) return true;
  note({ type: "stop.requested", ...request });
  for (;;) {
    const next = decide(state(), Date.now());
    if (next.do === "stop") {
      note({ type: "loop.stopped", reason: next.reason, detail: next.detail });
      write();
      return true;
    }
    if (next.do !== "recover") return false;
    const { n, attempt } = state();
    note({ type: "turn.voided", n, attempt, why: "interrupted", detail: "", retryAtMs: null, usage: NO_USAGE });
  }
}
