import { timeWords } from "../../core/duration.ts";
import { shorten } from "../../core/excerpt.ts";
import type { StopReason } from "../../core/loop/events.ts";
import { LEVEL_WORDS, type Level } from "../../core/proof/level.ts";
import type { LoopPart, Part, Workflow } from "../../core/workflow/workflow.ts";
import { lanesOf } from "../../core/workflow/workflow.ts";

// What a run reports to a conversation, or records as its end. Texts with asterisks must keep their exact wording.

/** The start of a part; null for a workflow that is one loop, which reports its iterations instead. */
export function partBegins({ parts }: Pick<Workflow, "parts">, place: number): string | null {
  const part = parts[place];
  if (!part || isOneLoop(parts)) return null;
  const names = lanesOf(part).map(({ name }) => name);
  return `Step ${place + 1}/${parts.length}: ${names.join(", ")}${names.length > 1 ? " (together)" : ""}`;
}

const isOneLoop = (parts: readonly Part[]): boolean => parts.length === 1 && parts[0]?.kind === "loop";

export const iterationBegins = (n: number, of: number): string => `**Iteration ${n}/${of}**`;

/** The name of a loop in reports; the workflow's name if the loop is its only part. */
export const loopName = ({ name, parts }: Pick<Workflow, "name" | "parts">, part: Pick<LoopPart, "name">): string =>
  isOneLoop(parts) ? name : part.name;

export const loopComplete = (name: string, iterations: number): string =>
  `**Loop complete**: ${name} (${iterations} iterations)`;

/** A promise that the checks, a guardrail or the agent's own words contradict. */
export const notProven = (why: string): string => `**Not proven**: ${why}`;

export const loopFailed = (n: number, why: string): string => `**Loop failed** at iteration ${n}: ${why}`;

export const loopIncomplete = (name: string, why: string): string => `**Loop incomplete**: ${name}\n\n${why}`;

const COMMAND_CHARS = 200;

/** Why a loop at its iteration limit is not done; `refused`: the result of the last verification. */
export function limitReached({ until, untilBash, maxIterations }: LoopPart, refused: string | null): string {
  const head = `Max iterations (${maxIterations}) reached without`;
  const missing =
    until === null ? `\`${shorten(untilBash ?? "", COMMAND_CHARS)}\` passing` : `completion signal "${until}"`;
  return `${head} ${missing}${refused === null ? "" : `\nLast verification: ${refused}`}`;
}

export const iterationFailed = (n: number, why: string): string => `Iteration ${n}: ${why}`;

export const workflowComplete = ({ name, parts }: Pick<Workflow, "name" | "parts">): string =>
  `**Workflow complete**: ${name} (${parts.length} ${parts.length === 1 ? "step" : "steps"})`;

export const stepFailed = (part: string, place: number, of: number, why: string): string =>
  `**Step failed** (${place + 1}/${of}, ${part}): ${why}`;

export function triedAgain(part: string, again: { attempt: number; of: number; delayMs: number }, why: string): string {
  const later = again.delayMs > 0 ? ` in ${timeWords(again.delayMs)}` : "";
  return `${part} failed: ${why}\nTrying again${later} (attempt ${again.attempt} of ${again.of})`;
}

export const workflowCancelled = (name: string, by: string): string => `**Workflow cancelled**: ${name} (${by})`;

/** How to resume is shown once: the reason may include it. `byItself`: the next server resumes the run. */
export function workflowPaused(name: string, why: string, run: string, byItself = false): string {
  const command = `ralph workflow resume ${run}`;
  const next = byItself ? "It continues once `ralph serve` runs again." : `To continue: ${command}`;
  return [`**Workflow paused**: ${name}`, why, ...(why.includes(command) ? [] : [next])].join("\n\n");
}

/** Why a turn has to wait, and for how long. */
export const turnWaits = (why: string, detail: string, waitMs: number): string =>
  `Waiting for ${timeWords(waitMs)}, then trying again: ${[why, detail].filter(Boolean).join(": ")}`;

const TOOL_CHARS = 300;

export const toolCalled = (name: string, summary: string): string =>
  shorten(summary === "" ? name : `${name}: ${summary}`, TOOL_CHARS);

/** A tool call that failed, or that the agent was refused. */
export const toolFailed = (name: string, detail: string): string =>
  shorten(`✗ ${name} failed${detail === "" ? "" : `: ${detail}`}`, TOOL_CHARS);

export const toolRefused = (name: string, detail: string): string =>
  shorten(`✗ refused: ${name} ${detail}`, TOOL_CHARS);

/** Marks a message of one of several parallel steps. */
export const saidBy = (part: string, text: string): string => `[${part}] ${text}`;

export const noSessions = (agent: string): string =>
  `the agent ${agent} cannot continue a session: every turn starts a new one`;

/** The proof level of a completed loop, and what weakens it. */
export const completedWith = (level: Level, weak: readonly string[]): string =>
  [`**${level}**: ${LEVEL_WORDS[level].means}`, ...weak, LEVEL_WORDS[level].hintInRun].filter(Boolean).join("; ");

export const stopText = (reason: StopReason, means: string, detail: string): string =>
  reason === "agent-failed" && detail !== "" ? detail : [means, detail].filter(Boolean).join(": ");
