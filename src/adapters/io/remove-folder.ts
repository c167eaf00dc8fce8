import { rename, rm } from "node:fs/promises";
import { runProgram } from "./program.ts";

/** Removes a folder and all that is in it. False where something of it stays: nothing depends on it any more. */
export async function removeFolder(path: string): Promise<boolean> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    // Most often folders that a tool has made read-only, as Go does with its modules.
    await runProgram({ file: "chmod", args: ["-R", "u+rwX", path], cwd: "/" });
    return remove().then(
      () => true,
      () => false,
    );
  }
  return true;
}

/** Takes a folder's name away from it at once; gives the name it has now, or null where it was gone already. */
export async function moveAside(path: string, aside: string): Promise<string | null> {
  try {
    await rename(path, aside);
    return aside;
  } catch {
    return null;
  }
}
