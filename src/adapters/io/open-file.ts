import { readdirSync, readlinkSync } from "node:fs";
import { runProgram } from "./program.ts";

/** Whether a process of this user has a file open, given by its real path; null if unknown. */
export async function isOpen(path: string): Promise<boolean | null> {
  if (process.platform === "linux") return entriesOf("/proc").some((pid) => /^\d+$/.test(pid) && holds(pid, path));
  const { code, stdout } = await runProgram({ file: "lsof", args: ["-t", "--", path], cwd: "/" });
  return code === null ? null : stdout.trim() !== "";
}

const holds = (pid: string, path: string): boolean =>
  entriesOf(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === path);

/** Empty for a process that has exited or belongs to another user. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // closed in the meantime
  }
}
