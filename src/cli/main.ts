import { CommanderError } from "commander";
import { EXIT } from "../core/errors.ts";
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
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.verified : EXIT.usage;
    return reportError(error, args.includes("--json"));
  }
}

/** `ralph --prompt …` is `ralph run --prompt …`. */
function withDefaultCommand(args: readonly string[]): string[] {
  const [first = "--help"] = args;
  const own = ["-h", "--help", "-V", "--version"];
  return first.startsWith("-") && !own.includes(first) ? ["run", ...args] : args.length > 0 ? [...args] : [first];
}
