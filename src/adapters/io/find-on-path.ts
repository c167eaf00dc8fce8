import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { environment } from "./environment.ts";

/** The file that running `command` in `cwd` would start; null when there is none. */
export function findOnPath(command: string, cwd: string, path = environment().PATH ?? ""): string | null {
  if (command.includes("/") || isAbsolute(command)) return runnable(resolve(cwd, command));
  for (const folder of path.split(delimiter)) {
    const found = folder && runnable(resolve(folder, command));
    if (found) return found;
  }
  return null;
}

function runnable(file: string): string | null {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}
