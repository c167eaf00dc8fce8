import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../../adapters/io/inside.ts";

type WorkingFolder = { path: string } | { is: "fail" | "unknown"; reason: string };

/**
 * The folder that a check names, with every link followed: it has to be inside `root`. One that is not there may be
 * what the work has to make; one that leads elsewhere would check something else.
 */
export function workingFolder(root: string, folder: string): WorkingFolder {
  if (folder === ".") return { path: root };
  try {
    const [real, home] = [realpathSync(resolve(root, folder)), realpathSync(root)];
    if (!isInside(real, home)) {
      return { is: "unknown", reason: `the folder ${folder} leads out of the loop's folder` };
    }
    if (!statSync(real).isDirectory()) return { is: "fail", reason: `${folder} is no folder` };
    return { path: real };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { is: "fail", reason: `the folder ${folder} does not exist` };
    return { is: "unknown", reason: `the folder ${folder} cannot be used (${code})` };
  }
}
