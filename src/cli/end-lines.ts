import { printable } from "../core/ansi.ts";
import { formatDuration } from "../core/duration.ts";
import { iterationsDone, type LoopState } from "../core/loop/state.ts";
import { reasonWords } from "../core/loop/words.ts";
import { provedWords } from "../core/proof/proved.ts";
import { dollars, totalTokens } from "../core/usage.ts";
import { paint } from "./paint.ts";
import { count } from "./words.ts";

/** What would make a weak proof a better one, by its label. */
const WEAK: Record<string, string> = {
  "promise only": 'add --verify "<command>" so that proof ends the loop',
  "judge unavailable": 'the promise alone decided; "on_error": "unknown" lets nothing pass without the judge',
};

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
  const { means, next } = reasonWords(reason, id, { ...state.spec, detail });
  const label = reason === "verified" ? state.turn?.verdict?.label : undefined;
  const good = reason === "verified" || reason === "finished";
  const mark = good ? paint("green", `✓ ${reason}`) : paint("yellow", `■ ${reason}`);
  const facts = [
    ...(state.proved ? [provedWords(state.proved)] : []),
    count(iterationsDone(state), "iteration"),
    formatDuration(state.activeMs),
    ...(state.spent.costUsd > 0 ? [dollars(state.spent.costUsd)] : []),
    ...(totalTokens(state.spent) > 0 ? [`${totalTokens(state.spent)} tokens`] : []),
  ];
  return [
    `${mark}: ${printable(detail || means)} ${paint("dim", `(${facts.join(", ")})`)}`,
    ...(label ?? "").split(", ").flatMap((one) => (WEAK[one] ? [paint("yellow", `  ${one}: ${WEAK[one]}`)] : [])),
    ...(next ? [paint("dim", `  next: ${next}`)] : []),
    ...(receipt === null ? [] : [paint("dim", `  receipt: ${printable(receipt)}`)]),
    paint("dim", `  look: ralph why ${id} · ralph logs ${id}`),
    ...[...failedEffects].map(([name, why]) => paint("red", `  a ${name} failed on the way: ${printable(why)}`)),
  ];
}
