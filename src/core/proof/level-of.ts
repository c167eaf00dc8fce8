import type { Level } from "./level.ts";

/** The label of a check that a promise replaced. Journals and receipts contain it: it is never reworded. */
export const JUDGE_UNAVAILABLE = "judge unavailable";

/** The fields of a check that decide the level. */
interface Shown {
  command: string;
  since?: string;
  label?: string;
  optional?: boolean;
  findings?: readonly unknown[];
}

/** A check whose result came from something other than the agent's word. */
const isMoreThanWords = ({ command, label }: Shown): boolean => command !== "" && label !== JUDGE_UNAVAILABLE;

/** The labels of checks, each once: a proof with one is weaker than it seems. */
export const labelsOf = (checks: readonly Pick<Shown, "label">[]): string[] => [
  ...new Set(checks.flatMap(({ label }) => label ?? [])),
];

/** The level of checks that all pass; `guarded`: guardrails passed too. */
export function levelOf(checks: readonly Shown[], guarded: boolean): Level {
  const required = checks.filter((check) => !check.optional && isMoreThanWords(check));
  if (required.some(({ since }) => since === "fixed")) return "verified";
  if (required.some(isJudged)) return "judged";
  return required.length > 0 || guarded ? "still-green" : "promise-only";
}

/** Whether a judge decided it, not a pattern or a fallback. */
const isJudged = ({ findings = [] }: Shown): boolean => findings.length > 0;

/** The level of a passing verdict by a version without levels. That version wrote these words, which never change. */
export const earlierLevel = (
  { checks, reason }: { checks: readonly Shown[]; reason: string },
  label: string | undefined,
): Level => levelOf(checks, label === undefined && reason.includes("every guardrail passes"));
