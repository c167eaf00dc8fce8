import { isOutOfIterations, stopFacts } from "../loop/stop-reasons.ts";
import { isLevel, type Level, lowerLevel } from "../proof/level.ts";
import type { StageEnded, TaskEntry, TaskEvent } from "./events.ts";
import { AGENT_ROLES, type AgentRole, isStage, type LoopRole, ROLES } from "./role.ts";
import { NEW_TASK, type TaskState } from "./state.ts";
import type { TaskStatus } from "./task.ts";

/**
 * The state after one more entry. An event of a loop other than the current one changes nothing, and work does not
 * change a task that the user put on hold or has not accepted.
 */
export function reduceTask(s: TaskState, e: TaskEvent): TaskState {
  if ((s.held || s.proposedBy !== null) && !USER_EVENTS.has(e.type)) return s;
  switch (e.type) {
    case "task.taken": {
      const at = reachable(s.at, e.stages);
      const definition = e.definition ?? s.definition;
      const { left: _, ...rest } = s;
      const taken = {
        ...rest,
        execution: e.execution,
        definition,
        stages: e.stages,
        limits: e.limits,
        waits: null,
        at,
      };
      // A loop for a stage that is no longer in the list is not resumed.
      return { ...taken, loop: at === s.at ? s.loop : null, status: statusAt(at) };
    }
    case "work.prepared":
      return restarted({ ...s, work: e.work, onto: e.work.base, fingerprints: e.fingerprints });
    case "stage.began":
      return { ...s, at: e.place, loop: e.loop, status: statusAt(e.place) };
    case "stage.ended":
      return e.loop === s.loop ? stageEnded({ ...s, loop: null }, e) : s;
    case "work.updated": {
      const at = e.conflicts.length > 0 ? "conflict" : "merge";
      const { onto, head, conflicts, fingerprints } = e;
      const updated = { onto, updated: head, proven: head, conflicts, fingerprints };
      return { ...s, ...updated, at, candidate: null, status: statusAt(at) };
    }
    case "merge.refused":
      return sentBack({ ...s, candidate: null, loop: null }, "merge", e.findings);
    case "merge.proven":
      return { ...s, candidate: { commit: e.commit, onto: e.onto } };
    case "merge.waits":
      return { ...s, waits: e.why };
    case "task.left":
      return { ...s, left: e.why };
    case "task.merged":
      return { ...s, status: "done", merged: e.commit, candidate: null, waits: null, failure: null };
    case "task.blocked":
      return blocked(s, e.why);
    case "task.added":
      return s;
    case "task.restored":
      return e.state;
    case "task.proposed":
      return { ...s, status: "proposed", proposedBy: e.by };
    case "task.accepted":
      return s.proposedBy === null ? s : { ...s, status: "todo", proposedBy: null };
    case "task.cancelled":
      return { ...s, status: openStatus(s), held: true, blocked: null, loop: null, tried: s.tried || s.loop !== null };
    case "task.retried":
      return { ...s, status: openStatus(s), held: false, blocked: null, attempt: 1, rounds: 0 };
    case "task.restarted":
      return beginAgain(s);
    case "task.dropped":
      return { ...s, status: "cancelled", held: false, blocked: null, loop: null, tried: s.tried || s.loop !== null };
  }
}

const USER_EVENTS: ReadonlySet<TaskEvent["type"]> = new Set([
  "task.accepted",
  "task.cancelled",
  "task.retried",
  "task.dropped",
]);

/** The status of a task that waits to be taken: a retry does not accept a proposed task. */
const openStatus = ({ proposedBy }: TaskState): TaskStatus => (proposedBy === null ? "todo" : "proposed");

/** The fold of a task's entries. */
export const foldTask = (entries: readonly Pick<TaskEntry, "event">[], from: TaskState = NEW_TASK): TaskState =>
  entries.reduce((state, { event }) => reduceTask(state, event), from);

const statusAt = (at: TaskState["at"]): TaskStatus => (at === "merge" ? "qa" : ROLES[at].status);

/** The given stage if it is wanted, else the next wanted one. */
function reachable(at: TaskState["at"], stages: readonly AgentRole[]): TaskState["at"] {
  if (!isStage(at) || stages.includes(at)) return at;
  return AGENT_ROLES.slice(AGENT_ROLES.indexOf(at)).find((role) => stages.includes(role)) ?? "merge";
}

/** The state with a branch that has no work, or was removed. */
function restarted(s: TaskState): TaskState {
  const at = reachable("coder", s.stages);
  const nothing = {
    loop: null,
    tried: false,
    findings: null,
    conflicts: [],
    updated: null,
    proof: null,
    proven: null,
    candidate: null,
  };
  return { ...s, ...nothing, at, status: statusAt(at) };
}

/** The first stage again, on the same branch. What is proven already only has to be merged; its conflicts get a new loop. */
function beginAgain(s: TaskState): TaskState {
  if (!isStage(s.at)) return { ...s, loop: null };
  const at = reachable("coder", s.stages);
  const tried = s.tried || s.loop !== null || s.proven !== null;
  return { ...s, at, tried, loop: null, attempt: 1, rounds: 0, status: statusAt(at) };
}

function stageEnded(at: TaskState, e: StageEnded): TaskState {
  if (isLevel(e.reason)) {
    const { fingerprints, head } = e;
    const known = {
      fingerprints: fingerprints ?? at.fingerprints,
      proven: head || at.proven,
      proof: proofAfter(at, e),
      ...(ROLES[e.place].measuresProof ? { weak: e.weak ?? [] } : {}),
    };
    return completed({ ...at, ...known }, e.place);
  }
  const s = { ...at, tried: at.tried || e.iterations > 0 };
  const { task } = stopFacts(e.reason);
  if (task === "sent-back") return sentBack(s, e.place, e.findings);
  const failure = failureOf(e);
  if (task === "blocked") return blocked({ ...s, failure }, e.detail || e.reason);
  // Conflicts that the agent could not resolve are left to the user.
  if (!isStage(e.place)) return blocked({ ...s, failure }, `merge conflicts: ${failure.reason}`);
  return s.attempt < s.limits.maxAttempts
    ? { ...s, failure, status: "todo", attempt: s.attempt + 1, rounds: 0 }
    : blocked({ ...s, failure }, `${failedWords(s.attempt, e.place)}: ${failure.reason}`);
}

/** The coder's loop sets the proof level; later stages keep or lower it. */
function proofAfter({ proof: before }: TaskState, { place, proof = null }: StageEnded): Level | null {
  if (ROLES[place].measuresProof || before === null) return proof;
  return proof === null ? before : lowerLevel(before, proof);
}

function completed(s: TaskState, place: LoopRole): TaskState {
  if (!isStage(place)) return { ...s, at: "merge", conflicts: [], status: statusAt("merge") };
  // In the order of the roles, whatever the order in which the stages were named.
  const after = AGENT_ROLES[AGENT_ROLES.indexOf(place) + 1];
  const next = after ? reachable(after, s.stages) : "merge";
  return { ...s, at: next, status: statusAt(next), findings: ROLES[place].implements ? null : s.findings };
}

/** Sends the task back to the coder, a limited number of times. */
function sentBack(s: TaskState, from: LoopRole | "merge", texts: readonly string[]): TaskState {
  const back: TaskState = {
    ...s,
    at: "coder",
    findings: { from, texts },
    rounds: Math.min(s.rounds, s.limits.maxRounds) + 1,
    status: statusAt("coder"),
    tried: true,
  };
  if (!s.stages.includes("coder")) return blocked(back, `${from} found faults, but there is no coder stage`);
  if (back.rounds <= s.limits.maxRounds) return back;
  return blocked(back, `${from} still finds faults after ${s.limits.maxRounds} rounds: ${texts[0] ?? ""}`);
}

const failedWords = (attempts: number, at: LoopRole): string =>
  attempts === 1 ? `1 attempt has failed at ${at}` : `${attempts} attempts have failed, the last one at ${at}`;

const blocked = (s: TaskState, why: string): TaskState => ({ ...s, status: "blocked", blocked: why, loop: null });

function failureOf({ place, loop, reason, detail, iterations, lastOutput }: StageEnded): TaskState["failure"] & object {
  const words = isOutOfIterations(reason) ? detail || LIMIT_WORDS : [reason, detail].filter(Boolean).join(": ");
  return {
    stage: place,
    iterations_used: iterations,
    last_output: lastOutput,
    reason: words,
    loop,
    stop_reason: reason,
  };
}

/** Worded as in the specification. */
export const LIMIT_WORDS = "Max iterations reached without completion promise";
