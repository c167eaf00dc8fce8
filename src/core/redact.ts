import type { FeedEntry } from "./feed.ts";
import type { LoopEvent } from "./loop/events.ts";
import { shownSpec } from "./loop/notes.ts";
import type { RunEvent } from "./workflow/events.ts";
import type { RunState } from "./workflow/state.ts";

/** An event of a loop for display, without secrets. */
export const shownLoopEvent = (event: LoopEvent): LoopEvent =>
  event.type === "loop.started" ? { ...event, spec: shownSpec(event.spec) } : event;

/** The same for a run, whose settings contain webhook URLs. */
export function shownRunEvent(event: RunEvent): RunEvent {
  if (event.type !== "run.started") return event;
  const { settings: _, ...shown } = event;
  return shown;
}

/** The state of a run for display. */
export function shownRunState(state: RunState): RunState {
  const started = state.started && shownRunEvent(state.started);
  return { ...state, started: started?.type === "run.started" ? started : null };
}

/** The same for an entry of the feed. */
export function shownEntry(entry: FeedEntry): FeedEntry {
  if (entry.kind === "loop") return { ...entry, event: shownLoopEvent(entry.event) };
  return entry.kind === "run" ? { ...entry, event: shownRunEvent(entry.event) } : entry;
}
