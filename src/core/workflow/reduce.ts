import { type Level, lowerLevel } from "../proof/level.ts";
import { addUsage } from "../usage.ts";
import type {
  AgentSession,
  CommandAccepted,
  CommandWatched,
  PartEnded,
  RunEntry,
  RunEvent,
  RunProtected,
} from "./events.ts";
import { hasEnded, type Lane, NEW_RUN, type RunState } from "./state.ts";
import { lanesOf, type Part } from "./workflow.ts";

/** The state after one more entry. Events of another part, or of an ended attempt or run, change nothing. */
export function reduceRun(s: RunState, e: RunEvent): RunState {
  if (hasEnded(s.status) && e.type !== "messages.dropped") return s;
  switch (e.type) {
    case "run.started":
      return s.started ? s : at({ ...s, started: e }, 0);
    case "run.taken":
      return { ...s, status: "running", detail: "", waits: false };
    case "run.protected":
    case "command.watched":
    case "command.accepted":
      return trusted(s, e);
    case "part.began":
      return e.part === s.part ? partBegan(s, e) : s;
    case "iteration.began":
      if (e.part !== s.part) return s;
      return { ...s, metadata: { ...s.metadata, iteration_count: e.n, max_iterations: e.maxIterations } };
    case "part.ended":
      return e.part === s.part ? partEnded(s, e) : s;
    case "run.paused":
      return { ...s, status: "interrupted", detail: e.why, waits: e.waits ?? false };
    case "messages.dropped":
      return { ...s, dropped: s.dropped + e.count };
    case "run.ended":
      return { ...s, status: e.status, detail: e.detail };
  }
}

/** The files that decide later parts are recorded once, and only commands of the current part change the record. */
function trusted(s: RunState, e: RunProtected | CommandWatched | CommandAccepted): RunState {
  if (e.type === "run.protected") return s.records ? s : { ...s, records: e.records };
  if (e.part !== s.part) return s;
  if (e.type === "command.accepted") return { ...s, records: { ...s.records, ...e.records } };
  return s.watched?.part === e.part ? s : { ...s, watched: { ...e, records: s.records } };
}

/** The fold of a run's entries. */
export const foldRun = (entries: readonly Pick<RunEntry, "event">[], from: RunState = NEW_RUN): RunState =>
  entries.reduce((state, { event }) => reduceRun(state, event), from);

const NOT_BEGUN: Lane = { attempt: 0, loop: null, ended: null };

/** The state at the start of a part. */
function at(s: RunState, part: number): RunState {
  const next = s.started?.workflow.parts[part];
  return { ...s, part, lanes: next ? lanesOf(next).map(() => NOT_BEGUN) : [] };
}

/** Only the attempt that is due can start: the first one, or the one after a failure. */
function partBegan(s: RunState, { lane: i, attempt, loop }: RunEvent & { type: "part.began" }): RunState {
  const lane = s.lanes[i];
  if (!lane || attempt !== lane.attempt + 1 || (lane.attempt > 0 && lane.ended?.is !== "failed")) return s;
  return { ...s, lanes: s.lanes.with(i, { attempt, loop, ended: null }) };
}

function partEnded(s: RunState, e: PartEnded): RunState {
  const lane = s.lanes[e.lane];
  if (!lane || lane.ended || lane.attempt !== e.attempt) return s;
  const ended: RunState = {
    ...s,
    session: sameSession(s.session, e.session),
    lanes: s.lanes.with(e.lane, { ...lane, ended: e }),
    spent: addUsage(s.spent, e.spent),
    proof: weakest(s.proof, e.proof ?? null),
    metadata: { ...s.metadata, last_output: e.output, ...(e.is === "done" && e.detail ? { label: e.detail } : {}) },
  };
  const part = s.started?.workflow.parts[e.part];
  if (!part || ended.lanes.some((one) => one.ended?.is !== "done")) return ended;
  return at({ ...ended, ...passedOn(ended, part) }, s.part + 1);
}

const weakest = (a: Level | null, b: Level | null): Level | null => (a && b ? lowerLevel(a, b) : (a ?? b));

/** Another attempt continues the same session, whose cost so far is already counted. */
const sameSession = (before: AgentSession | null, now: AgentSession | null): AgentSession | null =>
  before && now && now.id === before.id && now.agent === before.agent ? now : before;

/** The outputs and the session that a completed part passes on. */
function passedOn(s: RunState, part: Part): Pick<RunState, "outputs" | "session"> {
  const outputs = Object.fromEntries(lanesOf(part).map(({ name }, i) => [name, s.lanes[i]?.ended?.output ?? ""]));
  return { outputs: { ...s.outputs, ...outputs }, session: sessionAfter(s, part) };
}

/** Parallel steps share nothing, and a command has no session. A cleared context does not come back. */
function sessionAfter(s: RunState, part: Part): AgentSession | null {
  if (part.kind === "parallel" || part.kind === "bash") return s.session;
  const cleared = part.kind === "step" && part.fresh;
  return s.lanes[0]?.ended?.session ?? (cleared ? null : s.session);
}
