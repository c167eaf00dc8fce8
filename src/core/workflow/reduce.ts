import { addUsage } from "../usage.ts";
import type { PartEnded, RunEntry, RunEvent } from "./events.ts";
import { ENDED, type Lane, NEW_RUN, type RunState } from "./state.ts";
import { lanesOf, type Part } from "./workflow.ts";

/** The state after one more fact. A run that has ended stays as it is. */
export function reduceRun(s: RunState, e: RunEvent): RunState {
  if (ENDED.has(s.status) && e.type !== "messages.dropped") return s;
  switch (e.type) {
    case "run.started":
      return at({ ...s, started: e }, 0);
    case "run.taken":
      return { ...s, status: "running", detail: "" };
    case "part.began":
      return withLane(s, e.part, e.lane, { attempt: e.attempt, loop: e.loop, ended: null });
    case "iteration.began":
      return { ...s, metadata: { ...s.metadata, iteration_count: e.n, max_iterations: e.maxIterations } };
    case "part.ended":
      return e.part === s.part ? partEnded(s, e) : s;
    case "run.paused":
      return { ...s, status: "interrupted", detail: e.why };
    case "messages.dropped":
      return { ...s, dropped: s.dropped + e.count };
    case "run.ended":
      return { ...s, status: e.status, detail: e.detail };
  }
}

/** The fold of a run's entries. */
export const foldRun = (entries: readonly Pick<RunEntry, "event">[], from: RunState = NEW_RUN): RunState =>
  entries.reduce((state, { event }) => reduceRun(state, event), from);

const NOT_BEGUN: Lane = { attempt: 0, loop: null, ended: null };

/** At the beginning of a part. */
function at(s: RunState, part: number): RunState {
  const next = s.started?.workflow.parts[part];
  return { ...s, part, lanes: next ? lanesOf(next).map(() => NOT_BEGUN) : [] };
}

const withLane = (s: RunState, part: number, lane: number, to: Lane): RunState =>
  part === s.part && lane < s.lanes.length ? { ...s, lanes: s.lanes.with(lane, to) } : s;

function partEnded(s: RunState, e: PartEnded): RunState {
  const lane = s.lanes[e.lane];
  if (!lane || lane.ended || lane.attempt !== e.attempt) return s;
  const ended: RunState = {
    ...withLane(s, e.part, e.lane, { ...lane, ended: e }),
    spent: addUsage(s.spent, e.spent),
    metadata: { ...s.metadata, last_output: e.output, ...(e.is === "done" && e.detail ? { label: e.detail } : {}) },
  };
  const part = s.started?.workflow.parts[e.part];
  if (!part || ended.lanes.some((one) => one.ended?.is !== "done")) return ended;
  return at({ ...ended, ...leftBy(ended, part) }, s.part + 1);
}

/** What a part that is done leaves to those after it. Parallel steps share nothing, and a command has no session. */
function leftBy(s: RunState, part: Part): Pick<RunState, "outputs" | "session"> {
  const lanes = lanesOf(part);
  const outputs = Object.fromEntries(lanes.map(({ name }, i) => [name, s.lanes[i]?.ended?.output ?? ""]));
  const kept = part.kind === "parallel" || part.kind === "bash" ? s.session : (s.lanes[0]?.ended?.session ?? s.session);
  return { outputs: { ...s.outputs, ...outputs }, session: kept };
}
