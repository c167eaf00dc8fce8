import { printable } from "../core/ansi.ts";
import { formatDuration } from "../core/duration.ts";
import type { StopReason } from "../core/loop/events.ts";
import { iterationsDone, type LoopState } from "../core/loop/state.ts";
import { reasonWords } from "../core/loop/words.ts";
import { isLevel, LEVEL_WORDS } from "../core/proof/level.ts";
import { provedWords } from "../core/proof/proved.ts";
import { dollars, totalTokens } from "../core/usage.ts";
import { paint } from "./paint.ts";
import { count } from "./words.ts";

/** What came of a loop beside its end. */
interface Leftovers {
  /** Names, with what went wrong last. */
  failedEffects: ReadonlyMap<string, string>;
  /** Where the receipt is. */
  receipt: string | null;
}

/** How a loop ended: why, what it took, what to do next. */
export function endLines(id: string, state: LoopState, { failedEffects, receipt }: Leftovers): string[] {
  const { reason = "interrupted", detail = "" } = state.stopped ?? {};
  const { means, next } = reasonWords(reason, id, state.spec ?? {});
  const { weak: weaknesses = [], grew } = state.turn?.verdict ?? {};
  const weak = isLevel(reason) ? [...(grew ? [grew] : []), ...weaknesses] : [];
  const named = weak.length > 0 ? ` (${printable(weak.join("; "))})` : "";
  const facts = [
    ...(state.proved ? [provedWords(state.proved)] : []),
    count(iterationsDone(state), "iteration"),
    formatDuration(state.activeMs),
    ...(state.spent.costUsd > 0 ? [dollars(state.spent.costUsd)] : []),
    ...(totalTokens(state.spent) > 0 ? [`${totalTokens(state.spent)} tokens`] : []),
  ];
  return [
    `${markOf(reason)}${named}: ${printable(detail || means)} ${paint("dim", `(${facts.join(", ")})`)}`,
    ...hintLines(reason),
    ...(next ? [paint("dim", `  next: ${next}`)] : []),
    ...(receipt === null ? [] : [paint("dim", `  receipt: ${printable(receipt)}`)]),
    paint("dim", `  look: ralph why ${id} · ralph logs ${id}`),
    ...[...failedEffects].map(([name, why]) => paint("red", `  a ${name} failed on the way: ${printable(why)}`)),
  ];
}

/** The stop reason with its mark and colour: a weaker level never looks like a stronger one. */
export function markOf(reason: StopReason, words: string = reason): string {
  if (reason === "finished") return paint("green", `✓ ${words}`);
  if (!isLevel(reason)) return paint("yellow", `■ ${words}`);
  const { mark, tone } = LEVEL_WORDS[reason];
  return paint(tone, `${mark} ${words}`);
}

/** What would make a weak level a better one. */
function hintLines(reason: StopReason): string[] {
  const { means, hint } = isLevel(reason) ? LEVEL_WORDS[reason] : { means: "", hint: "" };
  return hint === "" ? [] : [paint("yellow", `  ${reason}: ${means}; ${hint}`)];
}
