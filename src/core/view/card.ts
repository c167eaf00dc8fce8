import { printable } from "../ansi.ts";
import { shorten } from "../excerpt.ts";
import type { LoopSummary } from "../loop/store.ts";
import type { Level } from "../proof/level.ts";
import type { Doing, LoopPulse } from "../pulse.ts";
import { isStage, type LoopRole, ROLES } from "../task/role.ts";
import type { TaskState } from "../task/state.ts";
import type { TaskSummary } from "../task/store.ts";
import { isBegun, type TaskStatus } from "../task/task.ts";
import { LANE_OF, type Lane } from "./lanes.ts";
import { levelBadge, type Tone } from "./tones.ts";

/** A task on the board. Times are absolute, so that clocks tick without new data. */
export interface Card {
  id: string;
  title: string;
  spec: string;
  status: TaskStatus;
  /** Null: only shown on request. */
  lane: Lane | null;
  priority: number;
  tone: Tone;
  /** What it is doing or how it stands, as the document draws it: `🔄 Coder (3/15)`. */
  badge: string;
  /** The badge without its mark, for faces that show only what works. */
  label: string;
  place: LoopRole | "merge" | null;
  loop: string | null;
  iteration: number;
  maxIterations: number | null;
  attempt: number;
  /** How many acceptance criteria are proved; null if there are none. */
  proved: { proved: number; of: number } | null;
  proof: Level | null;
  costUsd: number;
  tokens: number;
  /** Since when it is as it is. */
  sinceMs: number;
  /** When the task last changed: its version, for what is done with the task that the user has seen. */
  updatedMs: number;
  waitUntilMs: number | null;
  held: boolean;
  /** Whether a process works on it now. */
  driven: boolean;
  /** The tasks that must be done before it. */
  waitsFor: readonly string[];
  /** Why it does not progress, as far as its badge does not say it; empty: nothing is in its way. */
  why: string;
  doing: Doing | null;
  turnBeganMs: number | null;
  heardMs: number | null;
  agent: string;
  model: string | null;
}

/** What a card is made from. */
export interface CardFacts {
  task: TaskSummary;
  /** Null for a task that no execution has taken. */
  state: TaskState | null;
  /** Its current or last loop. */
  loop: LoopSummary | null;
  /** Of that loop, if it is driven. */
  pulse: LoopPulse | null;
  /** Of all its loops. */
  spent: { costUsd: number; tokens: number };
  driven: boolean;
  waitsFor: readonly string[];
}

const TITLE_CHARS = 500;

/** Every list has all titles, and an agent may propose any: a long one is cut, visibly. */
export const titleShown = (title: string): string => shorten(printable(title), TITLE_CHARS);

export function cardOf(facts: CardFacts): Card {
  const { task, state, loop, spent, driven, waitsFor } = facts;
  return {
    id: task.id,
    title: titleShown(task.title),
    spec: task.specId,
    status: task.status,
    lane: LANE_OF[task.status],
    priority: task.priority,
    ...standOf(facts),
    place: state && isBegun(task) ? state.at : null,
    loop: task.loop,
    iteration: task.iteration,
    ...loopFacts(loop),
    attempt: state?.attempt ?? 1,
    proof: task.proof,
    sinceMs: task.updatedAtMs,
    updatedMs: task.updatedAtMs,
    held: task.held,
    driven,
    waitsFor,
    ...spent,
    ...IDLE,
    ...(driven && loop && isRunning(loop) ? liveFacts(facts, loop) : {}),
  };
}

const loopFacts = (loop: LoopSummary | null) =>
  loop
    ? { iteration: loop.iteration, maxIterations: loop.maxIterations, proved: loop.proved }
    : { maxIterations: null, proved: null };

const IDLE = { waitUntilMs: null, doing: null, turnBeganMs: null, heardMs: null, agent: "", model: null };

function liveFacts({ pulse, spent }: CardFacts, { createdAtMs, waitUntilMs }: LoopSummary) {
  const since = { sinceMs: createdAtMs, waitUntilMs };
  if (!pulse) return since;
  const { costUsd, tokens, ...now } = pulse;
  return { ...since, ...now, costUsd: spent.costUsd + costUsd, tokens: spent.tokens + tokens };
}

type Stand = Pick<Card, "badge" | "label" | "tone" | "why">;

const stand = (tone: Tone, label: string, why = ""): Stand => ({ badge: label, label, tone, why });
const markedStand = (tone: Tone, mark: string, { label, why }: { label: string; why: string }): Stand => ({
  ...stand(tone, label, why),
  badge: `${mark} ${label}`,
});

function standOf({ task, state, loop, driven, waitsFor }: CardFacts): Stand {
  switch (task.status) {
    case "proposed":
      return stand("warn", "proposed", `by ${printable(state?.proposedBy ?? "an agent")}`);
    case "cancelled":
      return stand("dim", "cancelled");
    case "done":
      return doneStand(task);
    case "blocked":
      return stand("bad", "blocked", printable(state?.blocked ?? ""));
    case "todo":
      return todoStand(task, state, waitsFor);
    default:
      return workStand({ loop, driven, state });
  }
}

const doneStand = ({ proof }: TaskSummary): Stand =>
  proof ? { ...levelBadge(proof), label: proof, why: "" } : stand("good", "done");

function todoStand({ held }: TaskSummary, state: TaskState | null, waitsFor: readonly string[]): Stand {
  if (held) return stand("warn", "held", "its work was cancelled");
  if (waitsFor.length > 0) return stand("dim", `after ${waitsFor.join(", ")}`);
  const failure = state?.failure;
  if (failure) return stand("warn", `attempt ${state.attempt}`, printable(failure.reason));
  return stand("plain", "ready");
}

function workStand({ loop, driven, state }: Pick<CardFacts, "loop" | "driven" | "state">): Stand {
  const at = state?.at ?? "coder";
  const name = placeName(at);
  const label = loop && isRunning(loop) ? `${name} (${progressOf(loop)})` : name;
  if (!driven) return markedStand("warn", "⏸", { label, why: printable(state?.left ?? "nothing works on it") });
  if (state?.waits) return markedStand("warn", "⏳", { label: name, why: printable(state.waits) });
  if (loop?.status === "waiting") return markedStand("warn", "⏳", { label, why: printable(loop.detail) });
  return markedStand("active", "🔄", { label, why: "" });
}

const isRunning = ({ status }: LoopSummary): boolean => status !== "stopped";

/** `3/15`, or `3` without a limit. */
export const progressOf = ({ iteration, maxIterations }: Pick<Card, "iteration" | "maxIterations">): string =>
  maxIterations === null ? String(iteration) : `${iteration}/${maxIterations}`;

/** The name of a stage on the board: `Coder`, `QA`, `Merge`. */
export function placeName(at: LoopRole | "merge"): string {
  if (at === "qa") return "QA";
  const name = isStage(at) ? at : at === "conflict" ? "conflicts" : at;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What a role does, for headings: `Implementation`. */
export const roleTitle = (role: LoopRole): string => ROLES[role].title;
