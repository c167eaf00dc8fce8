import { CommanderError } from "commander";
import { EXIT, RalphError } from "../core/errors.ts";
import { reportError } from "./errors.ts";
import { buildProgram } from "./program.ts";

/** Runs a command line and returns the exit code of the contract. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.verified;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withDefaultCommand(args), { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.verified;
    return reportError(error instanceof CommanderError ? usageError(error) : error, args.includes("--json"));
  }
}

const usageError = ({ message }: CommanderError): RalphError =>
  new RalphError("usage", message.replace(/^error: /, ""), {
    hint: "`ralph --help` shows the commands, `ralph <command> --help` one of them",
  });

/** `ralph --prompt …` is `ralph run --prompt …`. */
function withDefaultCommand(args: readonly string[]): string[] {
  const [first = "--help"] = args;
  const own = ["-h", "--help", "-V", "--version"];
  return first.startsWith("-") && !own.includes(first) ? ["run", ...args] : args.length > 0 ? [...args] : [first];
}
