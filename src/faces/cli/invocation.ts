import type { CliContext } from "./context.ts";

/** How this program was called, for commands that a person is to type next. */
export const ralphCommand = ({ process: { env } }: CliContext): string =>
  env.npm_command === "exec" ? "npx ralph" : "ralph";
