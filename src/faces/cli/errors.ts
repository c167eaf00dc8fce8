import { EXIT, RalphError } from "../../core/errors.ts";
import { paint } from "./paint.ts";
import { printJson } from "./print.ts";

/** Tells an error the way the contract asks for: what is wrong and how to mend it, no stack trace for expected ones. */
export function reportError(error: unknown, json: boolean): number {
  if (!(error instanceof RalphError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (json) printJson({ type: "error", code: "bug", message: text, hint: null });
    process.stderr.write(`ralph: this is a bug, please report it\n${text}\n`);
    return EXIT.stopped;
  }
  const { code, message, hint, exitCode } = error;
  if (json) printJson({ type: "error", code, message, hint: hint ?? null });
  process.stderr.write(`${paint("red", "error:")} ${message}\n`);
  if (hint) process.stderr.write(`${paint("dim", "  help:")} ${hint}\n`);
  return exitCode;
}
