import { rename, rm } from "node:fs/promises";
import { runProgram } from "./program.ts";

/** Removes a folder and its contents. False if something could not be removed. */
export async function removeFolder(path: string): Promise<boolean> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    // Usually caused by read-only folders, as in Go's module cache.
    await runProgram({ file: "chmod", args: ["-R", "u+rwX", path], cwd: "/" });
    return remove().then(
      () => true,
      () => false,
    );
  }
  return true;
}

/** Renames a folder to free its path. Returns the new path, or null if the folder was already gone. */
export async function moveAside(path: string, aside: string): Promise<string | null> {
  try {
    await rename(path, aside);
    return aside;
  } catch {
    return null;
  }
}
