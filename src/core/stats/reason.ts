import { objectionTo } from "../loop/decide.ts";
import type { CheckResult, Verdict } from "../loop/events.ts";
import type { LoopState, Turn } from "../loop/state.ts";
import type { BreakableRule } from "../proof/proof.ts";

/** Why a claim was not accepted. `unknown`: a check could not run. */
export type ReasonKind =
  | "check"
  | "judge"
  | "guardrail"
  | "rule"
  | "tampering"
  | "contradiction"
  | "no-work"
  | "blocked"
  | "faults"
  | "unknown";

/** One reason against a claim. `name` is the name of the check or guardrail, or a description. */
export interface Reason {
  kind: ReasonKind;
  name: string;
}

/** Everything against the claim of a turn that ended; empty if it was accepted or not checked. */
export function reasonsAgainst(s: LoopState, turn: Turn): Reason[] {
  const faults: Reason[] =
    turn.review?.approved === false ? [{ kind: "faults", name: "faults found in the work" }] : [];
  if (!turn.claim) return faults;
  return [...faults, ...(turn.verdict ? verdictReasons(turn.verdict) : []), ...objectionReasons(s, turn)];
}

const NO_WORK: Reason = { kind: "no-work", name: "no work was done" };

function objectionReasons(s: LoopState, turn: Turn): Reason[] {
  const objection = objectionTo(s, turn);
  // Passing checks do not replace missing work; all other reasons are in the checks.
  if (turn.verdict) return objection === "no-work" ? [NO_WORK] : [];
  // Whether they are red or green is unknown before they have run.
  if (!turn.guards) return [];
  switch (objection) {
    case "guardrail":
      return turn.guards.filter(({ is }) => is !== "pass").map(({ name }) => ({ kind: "guardrail", name }));
    case "contradicted":
      return [{ kind: "contradiction", name: "the agent's own words" }];
    case "no-work":
      return [NO_WORK];
    case "blocked":
      return [{ kind: "blocked", name: "the agent cannot continue" }];
    default:
      return [];
  }
}

function verdictReasons({ is, tampered = [], brokenRules = [], checks }: Verdict): Reason[] {
  if (is === "pass") return [];
  // After tampering, the results of the checks prove nothing.
  if (tampered.length > 0) return [{ kind: "tampering", name: "tampering" }];
  const required = checks.filter(({ optional }) => !optional);
  const rules = brokenRules.map((rule): Reason => ({ kind: "rule", name: RULE_NAMES[rule] }));
  return [...rules, ...required.filter((check) => check.is === is).map((check) => checkReason(check))];
}

const RULE_NAMES: Readonly<Record<BreakableRule, string>> = {
  "new-commit": "no commit",
  "command-passed": "no command passes",
  approval: "no approval",
  "review-only": "changed what it reviewed",
  committed: "uncommitted files",
  "git-readable": "git failed",
  scope: "outside the scope",
  "expected-results": "changed expected results",
  suppressions: "new suppressions",
  "changed-tests": "depends on changed tests",
};

function checkReason({ is, name, findings }: CheckResult): Reason {
  if (is === "unknown") return { kind: "unknown", name };
  return { kind: findings ? "judge" : "check", name };
}
