import { printable } from "./ansi.ts";
import type { Doubt } from "./claim/claim.ts";
import { counted } from "./excerpt.ts";
import type { CheckResult, Finding, TestCounts, TurnEnded, Verdict } from "./loop/events.ts";
import type { Ending } from "./loop/spec.ts";
import { labelsOf } from "./proof/level-of.ts";
import { commandName } from "./proof/methods/external.ts";
import { provedWords } from "./proof/proved.ts";
import { totalTokens, type Usage } from "./usage.ts";
import type { ExplainedAttempt } from "./why.ts";

const SOURCES = {
  stream: "the assistant's text in its stream",
  text: "the agent's output",
  host: "the assistant's message in its host",
};

/** What was claimed, and where; null if nothing needs to be: a turn that ends its loop needs no claim. */
export function claimWords({ claim, source }: Pick<TurnEnded, "claim" | "source">, ends: Ending): string | null {
  if (claim) return `${claim.quote} (${SOURCES[source]}, characters ${claim.start}–${claim.end})`;
  if (ends === "turn") return null;
  return ends === "checks" ? "none; the checks decide" : "none";
}

/** Why a claim does not count, with the words that say so. */
export const doubtQuote = ({ rule, detail, quote }: Doubt): string =>
  `${detail ? `${rule} (${detail})` : rule}: “${printable(quote)}”`;

/** What is known about a turn that has not ended. `held`: whether a process drives it; omitted if that is not known. */
export function openTurnWords({ log }: Pick<ExplainedAttempt, "log">, held: boolean | undefined): string {
  if (log?.as === "events") return "its host has the turn";
  if (held === undefined) return "still running, or its driver was killed";
  return held ? "still running" : "did not end: its driver was killed";
}

/** `14 tests, 1 failed, 2 skipped`. */
export const testCountWords = ({ ran, failed, skipped }: Pick<TestCounts, "ran" | "failed" | "skipped">): string =>
  [counted(ran, "test"), failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
    .filter(Boolean)
    .join(", ");

/** What is known about a result besides its reason, its tests and the baseline. */
export const resultFacts = ({ noted, cached, optional, label }: CheckResult): string[] =>
  [noted, cached && "cached", optional && "only warns", label].filter(
    (one) => typeof one === "string" && one !== "",
  ) as string[];

/** The command, after its name if that is different. */
export const resultName = ({ name, command }: CheckResult): string =>
  [...(name === commandName(command) ? [] : [name]), ...(command ? [command] : [])].join(": ");

/** A judge's finding with its criterion. */
export const findingLine = ({ is, criterion, reason, quote }: Finding): string =>
  [`${is}: ${criterion}`, ...(reason ? [`(${reason})`] : []), ...(quote ? [`“${quote}”`] : [])].join(" ");

/** `pass, verified, 3/3 proved [judge unavailable]: all checks pass`. */
export function verdictWords({ is, proof, proved, checks, reason }: Verdict): string {
  const answer = [is, is === "pass" && (proof ?? "promise-only"), provedWords(proved)].filter(Boolean).join(", ");
  const label = labelsOf(checks).join(", ");
  return `${answer}${label ? ` [${label}]` : ""}: ${reason}`;
}

type ExplainedEffect = ExplainedAttempt["effects"][number];

/** `commit done: 1a2b3c “Add a discount”`. */
export const effectWords = ({ kind, is, detail, subject = "" }: ExplainedEffect): string =>
  `${kind} ${withDetail(is, detail)}${subject ? ` “${printable(subject)}”` : ""}`;

export const withDetail = (what: string, detail: string): string => [what, detail].filter(Boolean).join(": ");

/** Tokens, and dollars if the agent reports them or the settings have a price. */
export const spentWords = (usage: Usage): string =>
  `${totalTokens(usage)} tokens${usage.costUsd > 0 ? `, $${usage.costUsd.toFixed(4)}` : ""}`;
