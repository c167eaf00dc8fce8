import { printable, printableText } from "../ansi.ts";
import { formatDuration } from "../duration.ts";
import { counted } from "../excerpt.ts";
import { chainWords } from "../journal-words.ts";
import type { JournalCheck } from "../journals.ts";
import type { LoopSpec } from "../loop/spec.ts";
import { iterationsDone, type LoopState } from "../loop/state.ts";
import type { LoopSummary } from "../loop/store.ts";
import { criteriaOf, provedWords } from "../proof/proved.ts";
import { weakIn } from "../proof/shown.ts";
import { protectionWords } from "../proof/words.ts";
import type { LoopPulse } from "../pulse.ts";
import { dollars, totalTokens } from "../usage.ts";
import type { ExplainedBaseline } from "../why.ts";
import { criterionLine } from "./criterion-line.ts";
import { loopLine } from "./loop-line.ts";
import type { LoopPage } from "./loop-page.ts";
import { checkLine, type ShownAttempt, timelineItem } from "./timeline.ts";

/** What a loop's page is made from. */
export interface LoopFacts {
  loop: LoopSummary;
  state: LoopState;
  /** Whether a process drives it, or a host has it in a session. */
  held: boolean;
  pulse: LoopPulse | null;
  decided: string;
  next: string;
  baseline: (ExplainedBaseline & Pick<ShownAttempt, "failingTests">) | null;
  /** Its newest attempts, and how many were left out before them. */
  attempts: readonly ShownAttempt[];
  earlier: number;
  receipt: boolean;
  journal: JournalCheck;
}

export function loopPage(facts: LoopFacts): LoopPage {
  const { loop, state, held, pulse, decided, next, baseline, attempts, earlier, receipt, journal } = facts;
  const { spec } = state;
  const line = loopLine(loop, held, pulse);
  return {
    line,
    // Of one that has not stopped, clocks and sums are shown beside it.
    ended: state.stopped ? [line.badge, ...endFacts(state)].join(", ") : line.badge,
    decides: state.stopped ? "decided" : "decides next",
    decided: printable(decided),
    next,
    outcome: printable(spec?.proof.outcome ?? ""),
    prompt: spec ? promptOf(spec) : "",
    protection: spec ? protectionWords(spec.proof).map(printable) : [],
    criteria: spec ? criteriaOf(spec.proof, state.proved, state.turn?.verdict?.checks).map(criterionLine) : [],
    weak: weakIn(state).map(printable),
    baseline: baseline?.results.map((result) => checkLine(result, baseline.failingTests[result.name])) ?? null,
    timeline: attempts.map((attempt, i) => timelineItem(attempt, { spec, held, isLast: i === attempts.length - 1 })),
    earlier,
    receipt,
    damage: journal.damage ? chainWords(journal) : "",
  };
}

/** `3 iterations`, `12m 3s`, `$1.20`, `3/3 proved`. */
export const endFacts = (state: LoopState): string[] =>
  [
    counted(iterationsDone(state), "iteration"),
    formatDuration(state.activeMs),
    state.spent.costUsd > 0 ? dollars(state.spent.costUsd) : "",
    state.spent.costUsd > 0 || totalTokens(state.spent) === 0 ? "" : `${totalTokens(state.spent)} tokens`,
    provedWords(state.proved),
  ].filter(Boolean);

const MOST_PROMPT = 100_000;

function promptOf({ prompt }: LoopSpec): string {
  if ("file" in prompt) return `the file ${printable(prompt.file)}, read for each iteration`;
  return printableText("text" in prompt ? prompt.text : prompt.template).slice(0, MOST_PROMPT);
}
