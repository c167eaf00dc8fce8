import type { CliContext } from "../context.ts";

/** How this program was called, for the commands that it suggests. */
export const ralphCommand = ({ process: { env } }: CliContext): string =>
  env.npm_command === "exec" ? "npx ralph" : "ralph";
