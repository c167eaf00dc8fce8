import type { CheckResult, Verdict } from "../core/loop/events.ts";

/** The answer to a claim, from what the harness saw itself. Tampering vetoes whatever the checks say. */
export function verdictOf(checks: readonly CheckResult[], tampered: readonly string[], guarded: boolean): Verdict {
  if (tampered.length > 0) return { is: "fail", reason: `tampered: ${tampered.join(", ")}`, checks, tampered };
  const failing = checks.filter((check) => check.is === "fail");
  if (failing.length > 0) return { is: "fail", reason: failing.map(nameReason).join("; "), checks };
  const unknown = checks.filter((check) => check.is === "unknown");
  if (unknown.length > 0) return { is: "unknown", reason: unknown.map(nameReason).join("; "), checks };
  if (checks.length > 0) return { is: "pass", reason: `${checks.length} of ${checks.length} checks pass`, checks };
  return guarded
    ? { is: "pass", reason: "the promise was given and every guardrail passes", checks }
    : { is: "pass", reason: "the promise was given; nothing else was checked", checks, label: "promise only" };
}

const nameReason = (check: CheckResult): string => `${check.name}: ${check.reason}`;
