import type { Level } from "../proof/level.ts";
import { levelOf } from "../proof/level-of.ts";

interface Shown {
  checks: readonly {
    command: string;
    since: string | null;
    optional: boolean;
    label: string | null;
    findings: readonly unknown[];
  }[];
  guardrails: readonly unknown[];
}

/** The level derived from the checks and guardrails of a receipt, not from the level it states. */
export const receiptLevel = ({ checks, guardrails }: Shown): Level =>
  levelOf(
    checks.map(({ command, since, optional, label, findings }) => ({
      command,
      optional,
      findings,
      ...(since === "fixed" ? { since } : {}),
      ...(label === null ? {} : { label }),
    })),
    guardrails.length > 0,
  );
