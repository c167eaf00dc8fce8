import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";

/** Reports the commands to type next; standard output has only the result. */
export const reportNext = (cli: Pick<Cli, "report">, ...commands: readonly string[]): void =>
  cli.report(paint("dim", `  next: ${commands.join(" · ")}`));
