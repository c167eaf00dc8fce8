import { EXIT, RalphError } from "../../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { paint } from "./paint.ts";

/** Reports an error: what is wrong and how to fix it, without a stack trace for expected ones. */
export function reportError(cli: CliContext, error: unknown, json: boolean): number {
  if (!(error instanceof RalphError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (json) cli.printJson({ type: "error", code: "bug", message: text, hint: null });
    cli.process.stderr.write(`ralph: this is a bug, please report it\n${text}\n`);
    return EXIT.stopped;
  }
  const { code, message, hint, exitCode } = error;
  if (json) cli.printJson({ type: "error", code, message, hint: hint ?? null });
  cli.report(`${paint("red", "error:")} ${message}`);
  if (hint) cli.report(`${paint("dim", "  help:")} ${hint}`);
  return exitCode;
}
