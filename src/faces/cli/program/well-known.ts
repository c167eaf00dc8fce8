/** The command of a command line that starts with an option. */
export const DEFAULT_COMMAND = "run";

/** The options that `ralph` has without a command. */
export const OWN_OPTIONS: readonly string[] = ["-h", "--help", "-v", "-V", "--version"];

/** Used by completion scripts to list loops. */
export const LOOPS_COMMAND = "__loops";
export const TASKS_COMMAND = "__tasks";
export const WORKFLOWS_COMMAND = "__workflows";
export const RUNS_COMMAND = "__runs";

/** What hidden commands list for completion. */
export const LISTED = {
  loop: LOOPS_COMMAND,
  task: TASKS_COMMAND,
  workflow: WORKFLOWS_COMMAND,
  run: RUNS_COMMAND,
} as const;
export type Listed = keyof typeof LISTED;
