import { printable, printableText } from "../../core/ansi.ts";
import { formatDuration, timeWords } from "../../core/duration.ts";
import { cut } from "../../core/excerpt.ts";
import { itemText } from "../../core/loop/feedback-budget.ts";
import { earlierWords } from "../../core/loop/left-out.ts";
import type { Limits, LoopSpec } from "../../core/loop/spec.ts";
import { type LoopState, stopOf } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { reasonWords } from "../../core/loop/words.ts";
import { isBacked } from "../../core/proof/methods.ts";
import { leavesOf } from "../../core/proof/proof.ts";
import { provedWords } from "../../core/proof/proved.ts";
import { dollars } from "../../core/usage.ts";

export function startedText(id: string, { spec, limits, n, earlier }: LoopState): string {
  const since = n > 1 ? `continues here, at iteration ${n}` : "has started";
  return [
    `Ralph loop ${id} ${since}: ${limitWords(limits)}.`,
    ...(spec ? [proofWords(spec)] : []),
    ...(earlier?.files && n <= 1 ? [`Uncommitted files are ${earlierWords(earlier)}.`] : []),
    `/ralph-status shows its progress, /cancel-ralph stops it; from a terminal: ralph status ${id}, ralph cancel ${id}.`,
  ].join("\n");
}

function limitWords({ maxIterations, maxCostUsd, maxTokens, maxMs, stuckAfter }: Limits): string {
  const most = maxIterations === null ? "any number of iterations" : `up to ${maxIterations} iterations`;
  return [
    most,
    ...(maxCostUsd === null ? [] : [`${dollars(maxCostUsd)} at most`]),
    ...(maxTokens === null ? [] : [`${maxTokens} tokens at most`]),
    ...(maxMs === null ? [] : [`${timeWords(maxMs)} at most`]),
    ...(stuckAfter === null ? [] : [`stops after ${stuckAfter} iterations without progress`]),
  ].join(", ");
}

function proofWords({ claim, proof, guardrails }: LoopSpec): string {
  const checks = leavesOf(proof.stages).map(({ name }) => printable(name));
  const guards =
    guardrails.length > 0 ? ` Guardrails: ${guardrails.map(({ name }) => printable(name)).join(", ")}.` : "";
  const promise = `<promise>${printable(claim.promise)}</promise>`;
  if (!isBacked(proof)) return `It ends with ${promise}, and nothing checks it: add --verify "npm test".${guards}`;
  return `It ends with ${promise} once it is proven. Checks: ${checks.join(", ") || "see ralph status"}.${guards}`;
}

/** What `/ralph-status` shows of a loop. */
export function loopStatusText(
  loop: LoopSummary,
  state: LoopState,
  { isHere, nowMs }: { isHere: boolean; nowMs: number },
): string {
  return [
    `Ralph loop ${loop.id}: ${printable(loop.title)}`,
    isHere ? progressWords(loop, nowMs) : elsewhereWords(loop),
    ...(isHere && state.spec ? [proofWords(state.spec)] : []),
    ...(isHere ? lastWords(state) : []),
    `More, from a terminal: ralph why ${loop.id}`,
  ].join("\n");
}

function progressWords(loop: LoopSummary, nowMs: number): string {
  return [
    `iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}`,
    provedWords(loop.proved),
    `started ${formatDuration(Math.max(0, nowMs - loop.createdAtMs))} ago`,
    loop.tokens > 0 ? `${loop.tokens} tokens` : "",
    loop.costUsd > 0 ? dollars(loop.costUsd) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function elsewhereWords({ id, reason, detail, driver, holder }: LoopSummary): string {
  if (reason === null)
    return `No Ralph Loop is currently running in this session: it continues with ${driver === "engine" ? "ralph resume" : printable(holder)}.`;
  const { means } = reasonWords(reason, id);
  return `No Ralph Loop is currently running. The last one stopped: ${reason}, ${printable(detail || means)}.`;
}

const LAST_CHARS = 600;

function lastWords({ feedback }: LoopState): string[] {
  const said = feedback.map((item) => printableText(itemText(item).trim())).filter(Boolean);
  return said.length > 0 ? ["What was missing last:", cut(said.join("\n"), LAST_CHARS)] : [];
}

export const occupiedText = ({ id, title, iteration, maxIterations }: LoopSummary): string =>
  `Loop ${id} is running in this session (iteration ${iteration}/${maxIterations ?? "∞"}): ${printable(title)}\nNothing was started. /ralph-status shows more; /cancel-ralph stops it, then you can start another one.`;

export function nextStepText(id: string, state: LoopState): string {
  const { next } = reasonWords(stopOf(state).reason, id, { hosted: true, limits: state.limits });
  return next && `Next: ${next}; from a terminal, ralph why ${id} shows what was missing`;
}

export function endedText(id: string, state: LoopState): string {
  const { reason, detail } = stopOf(state);
  const { means, next } = reasonWords(reason, id, { hosted: true, limits: state.limits });
  const did = state.n === 0 ? "did not start" : "stopped";
  return `Ralph loop ${id} ${did}: ${reason}, ${printable(detail || means)}${next ? `\nNext: ${next}` : ""}`;
}
