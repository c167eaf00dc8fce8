import { firstNamed, shorten } from "../core/excerpt.ts";
import type { CheckResult, Tamper, Verdict } from "../core/loop/events.ts";
import { tamperWords } from "../core/loop/words.ts";
import { levelOf } from "../core/proof/level-of.ts";
import type { Proof } from "../core/proof/proof.ts";
import { provedOf } from "../core/proof/proved.ts";
import type { BrokenRule } from "./rules.ts";
import { bounded } from "./tamper/tampering.ts";

/** What was found about a claim. */
export interface Findings {
  checks: readonly CheckResult[];
  tampered: readonly Tamper[];
  broken: readonly BrokenRule[];
  /** Changes outside the scope, which a broken rule names. */
  outside?: readonly Tamper[];
  /** Files that changed while the checks ran, except those that the checks change themselves. */
  changed: readonly string[];
  guarded: boolean;
  /** Whether the agent claimed completion; otherwise the checks alone decide. */
  claimed: boolean;
}

/** Judges a claim by what the harness saw itself. Tampering vetoes it, whatever the checks say. */
export function verdictOf(
  proof: Proof,
  { checks, tampered, broken, outside = [], changed, ...how }: Findings,
): Verdict {
  // A tampered check proves nothing.
  const proved = proof.acceptance.length > 0 ? { proved: provedOf(proof, tampered.length > 0 ? [] : checks) } : {};
  const texts = broken.map(({ text }) => text);
  const rules = broken.length > 0 ? { broken: texts, brokenRules: broken.map(({ rule }) => rule) } : {};
  const strayed = outside.length > 0 ? { outside: bounded(outside) } : {};
  const answer = { checks, ...proved, ...rules, ...strayed };
  if (tampered.length > 0) {
    const reason = [`tampered: ${tamperWords(tampered)}`, ...(outside.length > 0 ? texts : [])].join("; ");
    return { ...answer, is: "fail", reason, tampered };
  }
  const required = checks.filter(({ optional }) => !optional);
  const failing = required.filter(({ is }) => is === "fail").map(nameReason);
  if (failing.length + broken.length > 0) return { ...answer, is: "fail", reason: [...texts, ...failing].join("; ") };
  const unknown = required.filter(({ is }) => is === "unknown").map(nameReason);
  if (unknown.length > 0) return { ...answer, is: "unknown", reason: unknown.join("; ") };
  if (changed.length > 0) return { ...answer, is: "unknown", reason: changedWords(changed) };
  return {
    ...answer,
    is: "pass",
    proof: levelOf(checks, how.guarded),
    reason: passWords(checks, { ...how, rules: proof.rules }),
  };
}

const PATH_CHARS = 100;

/** The checks did not all see the same files, so passing proves nothing. */
const changedWords = (paths: readonly string[]): string =>
  `files changed while the checks ran: ${firstNamed(paths.map((path) => shorten(path, PATH_CHARS)))}; a check that changes files should write them elsewhere`;

const isMoreThanWords = ({ command, optional }: CheckResult): boolean => command !== "" && !optional;

function passWords(
  checks: readonly CheckResult[],
  { claimed, guarded, rules }: Pick<Findings, "claimed" | "guarded"> & Pick<Proof, "rules">,
): string {
  const asked = claimed ? "" : "; no promise was given, and none was needed";
  const ran = checks.filter(isMoreThanWords).length;
  if (ran > 0) return `${ran} of ${ran} checks pass${asked}`;
  if (guarded) return "the promise was given and every guardrail passes";
  // Like the promise, an approval is only the agent's word.
  const given = rules.includes("approval") ? "the promise was given and the work approved" : "the promise was given";
  return `${given}; nothing else was checked`;
}

/** The reason of a sealed check names it. */
const nameReason = ({ name, reason }: CheckResult): string =>
  reason.startsWith(`${name} `) ? reason : `${name}: ${reason}`;
