/** The command that a command line beginning with an option stands for. */
export const DEFAULT_COMMAND = "run";

/** The options that `ralph` has without a command. */
export const OWN_OPTIONS: readonly string[] = ["-h", "--help", "-V", "--version"];

/** Asked by completion scripts for the loops of the folder they are in. */
export const LOOPS_COMMAND = "__loops";
/** The same for tasks. */
export const TASKS_COMMAND = "__tasks";
