import { rename } from "node:fs/promises";
import { runProgram } from "./program.ts";

/** Removes a folder and its contents. False if something could not be removed. */
export async function removeFolder(path: string): Promise<boolean> {
  if (await remove(path)) return true;
  // Usually caused by read-only folders, as in Go's module cache.
  await runProgram({ file: "chmod", args: ["-R", "u+rwX", path], cwd: "/" });
  return await remove(path);
}

/** The program is eight times as fast as Node's `rm`. */
const remove = async (path: string): Promise<boolean> =>
  (await runProgram({ file: "rm", args: ["-rf", "--", path], cwd: "/" })).code === 0;

/** Renames a folder to free its path. Returns the new path, or null if the folder was already gone. */
export async function moveAside(path: string, aside: string): Promise<string | null> {
  try {
    await rename(path, aside);
    return aside;
  } catch {
    return null;
  }
}
