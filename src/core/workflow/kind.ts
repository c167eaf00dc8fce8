import { EXIT, RalphError } from "../errors.ts";
import { isTypeIn, type Kind } from "../subject.ts";
import type { RunEntry, RunEvent } from "./events.ts";
import { reduceRun } from "./reduce.ts";
import { hasEnded, NEW_RUN, type RunState } from "./state.ts";

/** The types of the journal of a run. */
export interface RunTypes {
  event: RunEvent;
  state: RunState;
  entry: RunEntry;
}

const EVENT_TYPES: Record<RunEvent["type"], true> = {
  "run.started": true,
  "run.taken": true,
  "run.protected": true,
  "command.watched": true,
  "command.accepted": true,
  "part.began": true,
  "iteration.began": true,
  "part.ended": true,
  "run.paused": true,
  "messages.dropped": true,
  "run.ended": true,
};

/** The journal of a run of a workflow. */
export const runKind: Kind<RunTypes> = {
  name: "run",
  start: NEW_RUN,
  reduce: (state, { event }) => reduceRun(state, event),
  entryOf: (run, at) => ({ run, ...at }),
  opening: "run.started",
  adoption: "run.taken",
  isEvent: isTypeIn(EVENT_TYPES),
  upcast: (event) => event,
  isOver: ({ status }) => hasEnded(status),
  answers: () => false,
  refusal: (id, { before: { status }, entry: { event } }) =>
    !hasEnded(status) || event.type === "messages.dropped"
      ? null
      : new RalphError("run-ended", `run ${id} has ended: it is ${status}`, {
          hint: `\`ralph status ${id}\` says how; \`ralph workflow run\` starts another`,
          exitCode: EXIT.stopped,
        }),
  afterForeign: null,
  // The workflow never changes, and may be long.
  withoutOpening: (state) => ({ ...state, started: null }),
  withOpening: (state, { event }) => ({ ...state, started: event.type === "run.started" ? event : null }),
};
