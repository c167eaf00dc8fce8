import { EXIT } from "../core/errors.ts";
import type { RunStatus } from "../core/workflow/state.ts";

const CODES: Partial<Record<RunStatus, number>> = { completed: EXIT.verified, failed: EXIT.stopped };

/** What a command that drove a run exits with. */
export const runExitCode = (status: RunStatus): number => CODES[status] ?? EXIT.interrupted;
