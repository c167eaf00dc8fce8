import { printable } from "../../../core/ansi.ts";
import { formatDuration } from "../../../core/duration.ts";
import { counted } from "../../../core/excerpt.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { iterationsDone, type LoopState, stopOf } from "../../../core/loop/state.ts";
import { stopFacts } from "../../../core/loop/stop-reasons.ts";
import { unknownCostWords } from "../../../core/loop/unknown-cost.ts";
import { reasonWords } from "../../../core/loop/words.ts";
import { isLevel, isStrictEnough, LEVEL_WORDS, type Level } from "../../../core/proof/level.ts";
import { provedWords } from "../../../core/proof/proved.ts";
import { besideLevel } from "../../../core/proof/shown.ts";
import { dollars, isFree, totalTokens } from "../../../core/usage.ts";
import { paint } from "../../terminal/paint.ts";

interface Leftovers {
  /** Names, each with its last error. */
  failedEffects: ReadonlyMap<string, string>;
  receipt: string | null;
}

/** How a loop ended: why, its cost, what to do next. */
export function endLines(id: string, state: LoopState, { failedEffects, receipt }: Leftovers): string[] {
  const { reason, detail } = stopOf(state);
  const { means, next } = reasonWords(reason, id, {
    ...state.spec,
    limits: state.limits,
    foreign: state.foreign,
    refusals: state.turn?.refusals,
  });
  const facts = [
    ...(state.proved ? [provedWords(state.proved)] : []),
    counted(iterationsDone(state), "iteration"),
    formatDuration(state.activeMs),
    ...(state.spent.costUsd > 0 ? [dollars(state.spent.costUsd)] : []),
    ...(totalTokens(state.spent) > 0 ? [`${totalTokens(state.spent)} tokens`] : []),
    ...unknownCost(state),
  ];
  return [
    `${endWords(reason, besideLevel(state), markOf)}: ${printable(detail || means)} ${paint("dim", `(${facts.join(", ")})`)}`,
    ...hintLines(reason),
    ...strictLine(reason, state),
    ...(next ? [paint("dim", `  next: ${next}`)] : []),
    ...(receipt === null ? [] : [paint("dim", `  receipt: ${printable(receipt)}`)]),
    paint("dim", `  look: ralph why ${id} · ralph logs ${id}`),
    ...[...failedEffects].map(([name, why]) => paint("red", `  a ${name} failed: ${printable(why)}`)),
  ];
}

/** The stop reason with its mark and colour: a weaker level never looks like a stronger one. */
export function markOf(reason: StopReason, words: string = reason): string {
  return toned(reason, `${stopFacts(reason).mark} ${words}`);
}

/** Words in the colour of a stop reason, without its mark: each proof level has its own colour. */
export function toned(reason: StopReason, words: string): string {
  return paint(stopFacts(reason).tone, words);
}

/** A stop reason in its colour, with what weakens the proof. */
export function endWords(reason: StopReason, weak: readonly string[], shown = toned): string {
  const named = weak.length > 0 ? ` (${printable(weak.join("; "))})` : "";
  return `${shown(reason, reason)}${named}`;
}

const strictLine = (reason: StopReason, { spec }: LoopState): string[] =>
  spec?.strict && isLevel(reason) && !isStrictEnough(reason)
    ? [paint("yellow", "  --strict requires judged or better: exit code 1")]
    : [];

function hintLines(reason: StopReason): string[] {
  const isWeak = isLevel(reason) && LEVEL_WORDS[reason].hint !== "";
  return isWeak ? [`  ${levelWords(reason)}`] : [];
}

/** What a proof level means, and how to improve a weak one. */
export function levelWords(level: Level): string {
  const { means, hint } = LEVEL_WORDS[level];
  return toned(level, [`${level}: ${means}`, hint].filter(Boolean).join("; "));
}

/** Shown only if the cost is shown or limited. */
function unknownCost(state: LoopState): string[] {
  const { maxCostUsd, maxTokens } = state.limits;
  const words = unknownCostWords(state);
  const counts = !isFree(state.spent) || maxCostUsd !== null || maxTokens !== null;
  return words !== null && counts ? [words] : [];
}
