import { printable, printableText } from "../ansi.ts";
import { counted, firstOf } from "../excerpt.ts";
import type { LoopState } from "../loop/state.ts";
import { stopFacts } from "../loop/stop-reasons.ts";
import type { LoopSummary } from "../loop/store.ts";
import { isLevel } from "../proof/level.ts";
import { criteriaOf } from "../proof/proved.ts";
import { commandsIn } from "../task/commands.ts";
import { taskEventWords } from "../task/event-words.ts";
import { AGENT_ROLES, type AgentRole, ROLES } from "../task/role.ts";
import type { TaskState } from "../task/state.ts";
import type { StoryStep } from "../task/story.ts";
import { mergeWords, roundWords, sentBackWords, stageEndWords, stageWhy } from "../task/story-words.ts";
import { isBegun, type Task } from "../task/task.ts";
import { type Card, progressOf } from "./card.ts";
import { criterionLine } from "./criterion-line.ts";
import type { CriterionLine, HistoryLine, StageLine, TaskPage } from "./task-page.ts";
import type { Tone } from "./tones.ts";
import { reasonTone } from "./tones.ts";

/** How one stage is verified. */
export interface StageProof {
  method: string;
  promise: string;
  maxIterations: number | null;
  /** One line each. */
  checks: readonly string[];
}

/** What a task's page is made from. */
export interface TaskFacts {
  card: Card;
  task: Task;
  state: TaskState;
  /** Whether it is open what decides. */
  isOpen: boolean;
  decided: string;
  next: string;
  /** Its loops, newest first. */
  loops: readonly LoopSummary[];
  /** The stages that it goes through, or would. */
  stages: readonly AgentRole[];
  proofs: Readonly<Record<AgentRole, StageProof>>;
  /** The state of the loop that last proved criteria; null if none has. */
  proved: LoopState | null;
  /** Steps of its history, with what decided a failed stage, and how many were left out before. */
  steps: readonly (StoryStep & { decided?: string })[];
  earlier: number;
  dependencies: TaskPage["dependencies"];
  followups: readonly string[];
}

export function taskPage(facts: TaskFacts): TaskPage {
  const { card, task, state, isOpen, decided, next, steps, earlier, dependencies, followups } = facts;
  const { work, merged, weak = [] } = state;
  return {
    card,
    description: printableText(task.description),
    outcome: printable(task.completionSpec?.outcome ?? ""),
    decides: isOpen ? "decides next" : "decided",
    decided: printable(decided),
    next,
    criteria: criteriaLines(facts),
    commands: commandsIn(task.completionSpec).map(printable),
    stages: AGENT_ROLES.map((role) => stageLine(role, facts)),
    dependencies: dependencies.map(({ id, title, status }) => ({ id, title: printable(title), status })),
    followups,
    history: steps.map(historyLine),
    earlier,
    branch: work?.branch ?? null,
    target: work?.target ?? null,
    worktree: merged === null ? (work?.worktree ?? null) : null,
    merged,
    weak: weak.map(printable),
  };
}

function criteriaLines({ task, proved }: TaskFacts): CriterionLine[] {
  const texts = (task.completionSpec?.acceptance_criteria ?? []).map((one) =>
    typeof one === "string" ? one : one.text,
  );
  const known = proved?.spec ? criteriaOf(proved.spec.proof, proved.proved, proved.turn?.verdict?.checks) : [];
  return texts.map((text) => criterionLine(known.find((one) => one.text === text) ?? { text, proved: false, why: "" }));
}

type StageStand = Pick<StageLine, "is" | "tone" | "words" | "loop">;

function stageLine(role: AgentRole, facts: TaskFacts): StageLine {
  const proof = facts.proofs[role];
  return {
    role,
    title: ROLES[role].title,
    ...stageStand(role, facts),
    method: proof.method,
    promise: printable(proof.promise),
    maxIterations: proof.maxIterations,
    checks: proof.checks.map(printable),
  };
}

function stageStand(role: AgentRole, { card, state, loops, stages }: TaskFacts): StageStand {
  const last = loops.find(({ part }) => part?.place === role) ?? null;
  const loop = last?.id ?? null;
  if (isBegun(state) && state.at === role) {
    const running = last !== null && last.reason === null ? `iteration ${progressOf(last)}` : "starting";
    const words = card.driven ? running : "nothing works on it";
    return { is: "running", tone: card.driven ? "active" : "warn", words, loop };
  }
  if (last?.reason) {
    const { mark } = stopFacts(last.reason);
    const words = `${mark} ${last.reason} after ${counted(last.iteration, "iteration")}`;
    return { is: isLevel(last.reason) ? "passed" : "failed", tone: reasonTone(last.reason), words, loop };
  }
  return { is: stages.includes(role) ? "next" : "skipped", tone: "dim", words: "", loop };
}

const MOST_DETAILS = 10;

function historyLine(step: StoryStep & { decided?: string }): HistoryLine {
  const line = { atMs: step.atMs, loop: null };
  switch (step.is) {
    case "round": {
      const back = sentBackWords(step);
      return {
        ...line,
        tone: back ? "warn" : "plain",
        words: [roundWords(step), back].filter(Boolean).join(", "),
        details: [],
      };
    }
    case "stage": {
      const { place, loop, reason, iterations, findings, weak, decided } = step;
      const after = reason === null ? "" : `, ${counted(iterations, "iteration")}`;
      return {
        ...line,
        loop,
        tone: reason === null ? "active" : reasonTone(reason),
        words: `${place}: ${stageEndWords(step)}${after}`,
        details: details([stageWhy(step, decided), ...findings, ...weak.map((words) => `weak: ${words}`)]),
      };
    }
    case "event":
      return { ...line, ...eventLine(step) };
  }
}

function eventLine(step: StoryStep & { is: "event" }): Pick<HistoryLine, "tone" | "words" | "details"> {
  const { event } = step;
  const merge = mergeWords(step);
  const tone = EVENT_TONES[event.type] ?? "plain";
  if (merge === null) return { tone, words: taskEventWords(event), details: [] };
  return { tone, words: `merge: ${merge}`, details: details(event.type === "merge.refused" ? event.findings : []) };
}

const EVENT_TONES: Readonly<Record<string, Tone>> = {
  "task.merged": "good",
  "merge.proven": "good",
  "merge.refused": "bad",
  "merge.waits": "warn",
  "task.blocked": "bad",
  "task.cancelled": "warn",
  "task.left": "warn",
  "task.dropped": "dim",
};

const details = (lines: readonly string[]): string[] => firstOf(lines.filter(Boolean), MOST_DETAILS).map(printable);
