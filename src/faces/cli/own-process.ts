import { EXIT } from "../../core/errors.ts";
import { runCli } from "./run-cli.ts";

/** After an interrupt, the longest wait for what cannot be ended: a git that runs a hook, a reader that has stopped. */
const PATIENCE_MS = 500;

/** Runs a command line in this process, and ends it with the command's exit code. */
export async function runAndExit(args: readonly string[]): Promise<void> {
  process.exitCode = await runCli(args, process, false);
  if (process.exitCode === EXIT.interrupted) setTimeout(() => process.exit(), PATIENCE_MS).unref();
}
