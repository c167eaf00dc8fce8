import { EXIT } from "../core/errors.ts";
import type { RunState, RunStatus } from "../core/workflow/state.ts";

const CODES: Partial<Record<RunStatus, number>> = { completed: EXIT.verified, failed: EXIT.stopped };

/** What a command that drove a run exits with. One that waits for a person has stopped, and nobody interrupted it. */
export const runExitCode = ({ status, waits }: Pick<RunState, "status" | "waits">): number =>
  CODES[status] ?? (waits ? EXIT.stopped : EXIT.interrupted);
