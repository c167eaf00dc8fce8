import type { CheckResult, Proved } from "../loop/events.ts";
import type { Proof } from "./proof.ts";

/** Which acceptance criteria are proved: every check or judge that covers a criterion must approve it. */
export function provedOf({ acceptance }: Proof, checks: readonly CheckResult[]): Proved {
  const which = [...acceptance.keys()].filter((i) => {
    const about = wordsOn(acceptance[i] ?? "", checks);
    return about.length > 0 && about.every(({ passes }) => passes);
  });
  return { proved: which.length, of: acceptance.length, which };
}

/** An acceptance criterion, and why it is open. */
export interface Criterion {
  text: string;
  proved: boolean;
  /** Empty for a proved criterion, and if nothing has covered it yet. */
  why: string;
}

/** The acceptance criteria with the results of the last verification. */
export function criteriaOf(
  { acceptance }: Proof,
  proved: Proved | null,
  checks: readonly CheckResult[] = [],
): Criterion[] {
  return acceptance.map((text, i) => {
    const isProved = proved?.which?.includes(i) ?? false;
    const against = isProved ? [] : wordsOn(text, checks).filter(({ passes }) => !passes);
    return { text, proved: isProved, why: against.map(({ words }) => words).join("; ") };
  });
}

/** `5/7 proved`; empty if there are no criteria. */
export const provedWords = (proved: Pick<Proved, "proved" | "of"> | null | undefined): string =>
  proved && proved.of > 0 ? `${proved.proved}/${proved.of} proved` : "";

interface Word {
  passes: boolean;
  words: string;
}

function wordsOn(text: string, checks: readonly CheckResult[]): Word[] {
  return checks.flatMap(({ name, is, criterion, findings = [] }): Word[] => [
    ...(criterion === text ? [{ passes: is === "pass", words: `${name} does not pass` }] : []),
    ...findings
      .filter((finding) => finding.criterion === text)
      .map((finding) => ({ passes: finding.is === "proved", words: findingWords(finding) })),
  ]);
}

/** A judge's finding without its criterion. */
export const findingWords = ({ is, reason, quote }: NonNullable<CheckResult["findings"]>[number]): string =>
  [is, ...(reason ? [`: ${reason}`] : []), ...(quote ? [` “${quote}”`] : [])].join("");
