import { EXIT } from "../../core/errors.ts";
import { isStrictEnough } from "../../core/proof/level.ts";
import type { RunState, RunStatus } from "../../core/workflow/state.ts";

const CODES: Partial<Record<RunStatus, number>> = { completed: EXIT.verified, failed: EXIT.stopped };

/** The exit code of a command that drove a run. A run that waits for the user has stopped; it was not interrupted. */
export function runExitCode({ status, waits, proof, started }: RunEnd, strict = false): number {
  const isWeak = status === "completed" && proof !== null && !isStrictEnough(proof);
  if (isWeak && (strict || started?.settings?.proof === "strict")) return EXIT.stopped;
  return CODES[status] ?? (waits ? EXIT.stopped : EXIT.interrupted);
}

type RunEnd = Pick<RunState, "status" | "waits" | "proof" | "started">;
