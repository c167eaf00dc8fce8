import type { CheckResult, Tamper, Verdict } from "../core/loop/events.ts";
import { tamperWords } from "../core/loop/words.ts";
import type { Level } from "../core/proof/level.ts";
import { levelOf } from "../core/proof/level-of.ts";
import type { Proof } from "../core/proof/proof.ts";
import { provedOf } from "../core/proof/proved.ts";
import type { BrokenRule } from "./rules.ts";

interface Findings {
  checks: readonly CheckResult[];
  tampered: readonly Tamper[];
  broken: readonly BrokenRule[];
  guarded: boolean;
  /** Whether the agent claimed completion; otherwise the checks alone decide. */
  claimed: boolean;
}

/** Judges a claim by what the harness saw itself. Tampering vetoes it, whatever the checks say. */
export function verdictOf(proof: Proof, { checks, tampered, broken, ...how }: Findings): Verdict {
  // A tampered check proves nothing.
  const proved = proof.acceptance.length > 0 ? { proved: provedOf(proof, tampered.length > 0 ? [] : checks) } : {};
  const texts = broken.map(({ text }) => text);
  const rules = broken.length > 0 ? { broken: texts, brokenRules: broken.map(({ rule }) => rule) } : {};
  const answer = { checks, ...proved, ...rules };
  if (tampered.length > 0) return { ...answer, is: "fail", reason: `tampered: ${tamperWords(tampered)}`, tampered };
  const required = checks.filter(({ optional }) => !optional);
  const failing = required.filter(({ is }) => is === "fail").map(nameReason);
  if (failing.length + broken.length > 0) return { ...answer, is: "fail", reason: [...texts, ...failing].join("; ") };
  const unknown = required.filter(({ is }) => is === "unknown").map(nameReason);
  if (unknown.length > 0) return { ...answer, is: "unknown", reason: unknown.join("; ") };
  const level = levelOf(checks, how.guarded);
  return { ...answer, is: "pass", proof: level, reason: passWords(checks, level, { ...how, rules: proof.rules }) };
}

const isMoreThanWords = ({ command, optional }: CheckResult): boolean => command !== "" && !optional;

function passWords(
  checks: readonly CheckResult[],
  level: Level,
  { claimed, rules }: Pick<Findings, "claimed"> & Pick<Proof, "rules">,
): string {
  const asked = claimed ? "" : "; no promise was given, and none was needed";
  const ran = checks.filter(isMoreThanWords).length;
  if (ran > 0) return `${ran} of ${ran} checks pass${asked}`;
  if (level === "still-green") return "the promise was given and every guardrail passes";
  // Like the promise, an approval is only the agent's word.
  const given = rules.includes("approval") ? "the promise was given and the work approved" : "the promise was given";
  return `${given}; nothing else was checked`;
}

const nameReason = ({ name, reason }: CheckResult): string => `${name}: ${reason}`;
