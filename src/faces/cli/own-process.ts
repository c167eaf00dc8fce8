import { EXIT } from "../../core/errors.ts";
import { runCli } from "./run-cli.ts";

/** After an interrupt, the maximum wait for what cannot be stopped, such as git in a hook or a blocked reader. */
const PATIENCE_MS = 500;

/** Runs a command line in this process and exits with its exit code. */
export async function runAndExit(args: readonly string[]): Promise<void> {
  process.exitCode = await runCli(args, process, false);
  if (process.exitCode === EXIT.interrupted) setTimeout(() => process.exit(), PATIENCE_MS).unref();
}
