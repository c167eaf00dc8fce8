import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { jsonAt } from "../../../adapters/io/look.ts";
import { typedWord } from "../../../core/shell.ts";
import { isOnPath, PACKAGE } from "../../../doors/hook/install/own-program.ts";
import type { Cli } from "../context.ts";

const PROGRAM = fileURLToPath(new URL("./ralph.js", import.meta.url));

/** How the user starts this program, for commands to copy: in the folder they are in, and in their own repository. */
export function ownCommands({ process: { env }, cwd }: Pick<Cli, "process" | "cwd">): { here: string; own: string } {
  const isExec = env.npm_command === "exec";
  if (!isExec && isOnPath(cwd())) return both("ralph");
  const place = installedAt(cwd());
  const byPath = `node ${typedWord(PROGRAM)}`;
  if (place === "project") return both("npx ralph");
  if (place === "source") return { here: "npx ralph", own: byPath };
  // `npx ralph` alone would install another package.
  return both(isExec ? `npx -p ${PACKAGE} ralph` : byPath);
}

const both = (command: string) => ({ here: command, own: command });

/** Where npx finds the program: in a project that has it installed, or in its own repository. */
function installedAt(folder: string): "project" | "source" | null {
  if (Object(jsonAt(join(folder, "package.json"))).name === PACKAGE) return "source";
  if (existsSync(join(folder, "node_modules/.bin/ralph"))) return "project";
  const above = dirname(folder);
  return above === folder ? null : installedAt(above);
}
