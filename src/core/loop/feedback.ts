import { objectionTo } from "./decide.ts";
import type { CheckResult } from "./events.ts";
import type { Guardrail, LoopSpec } from "./spec.ts";
import type { Feedback, FeedbackItem, LoopState, Turn } from "./state.ts";

const QUOTE_CHARS = 200;

/** What the next iteration is told about why turn `n` was not enough. Bounded: excerpts were cut when they were taken. */
export function feedbackOf(s: LoopState, turn: Turn, spec: LoopSpec): Feedback {
  const { n } = s;
  return [
    ...turnItems(turn, n),
    ...(turn.guards ?? []).flatMap((result, i) => guardItem(result, spec.guardrails[i], n)),
    ...verdictItems(turn, n),
    ...idleItems(s, turn),
    ...doubtItems(turn, n),
  ];
}

const append = (text: string): FeedbackItem => ({ action: "APPEND", text });

function turnItems({ failed }: Turn, n: number): FeedbackItem[] {
  if (!failed) return [];
  return [append(`Iteration ${n} ended early (${failed.kind}): ${failed.detail}\nGo on from the files as they are.`)];
}

function guardItem(result: CheckResult, guardrail: Guardrail | undefined, n: number): FeedbackItem[] {
  if (result.is === "pass") return [];
  const { failAction: action = "APPEND", hint = null } = guardrail ?? {};
  const text = `Guardrail failed after iteration ${n}.\n${describe(result)}`;
  return [{ action, text: hint ? `${text}\n\nHint: ${hint}` : text }];
}

function verdictItems({ verdict, claim }: Turn, n: number): FeedbackItem[] {
  if (!verdict || verdict.is === "pass") return [];
  const failing = verdict.checks.filter((check) => check.is !== "pass").map(describe);
  const tampered =
    verdict.tampered?.map(({ path, change }) => `- ${path} decides completion: ${change}. Restore it.`) ?? [];
  const head = `You claimed completion (${claim?.quote ?? "no tag"}) in iteration ${n}, but it did not hold: ${verdict.reason}`;
  return [append([head, ...tampered, ...failing].join("\n\n"))];
}

function idleItems(s: LoopState, turn: Turn): FeedbackItem[] {
  if (objectionTo(s, turn) !== "no-work") return [];
  return [
    append(
      `You claimed completion in iteration ${s.n}, but no tool was used and nothing was changed since the loop began.`,
    ),
  ];
}

function doubtItems({ doubts, claim, verdict }: Turn, n: number): FeedbackItem[] {
  if (verdict || doubts.length === 0) return [];
  const lines = doubts.slice(0, 5).map((d) => `- ${d.rule}: “${d.quote.slice(0, QUOTE_CHARS)}”`);
  const head = claim
    ? `You claimed completion in iteration ${n}, but your own words speak against it:`
    : `Iteration ${n} mentioned the completion tag without claiming completion:`;
  return [append([head, ...lines].join("\n"))];
}

function describe(result: CheckResult): string {
  const log = result.log ? `\nFull output: ${result.log}` : "";
  const output = result.excerpt.trim() ? `\nOutput:\n${result.excerpt.trim()}` : "\nIt printed nothing.";
  return `Command: ${result.command}\nResult: ${result.reason}${log}${output}`;
}
