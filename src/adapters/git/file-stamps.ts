import { checkoutRoot } from "../io/checkout.ts";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { runProgram } from "../io/program.ts";
import { NO_PROMPTS } from "./repository.ts";

interface StampRequest {
  cwd: string;
  /** Which untracked files count, by their path from the checkout's root; null: none. */
  untracked: ((path: string) => boolean) | null;
  quit: AbortSignal;
}

/** More files than this are not compared. */
const MOST_FILES = 100_000;
/** File names need not be valid UTF-8, so each byte is read as one character. */
const BYTES = "latin1";

/**
 * Remembers identity, size and times of all tracked files, whatever git's index says about them. The returned function
 * lists those that differ by then: a write cannot be hidden, because no program can set the time of the last status
 * change. Null if git cannot list them.
 */
export async function stampFiles(request: StampRequest): Promise<(() => Promise<string[]>) | null> {
  const root = checkoutRoot(request.cwd);
  const listedBefore = root && (await listed(root, request));
  if (!root || !listedBefore) return null;
  const before = await stampsOf(root, listedBefore);
  return async () => {
    // Files that are new since then.
    const now = request.untracked ? await listed(root, request) : [];
    const paths = new Set([...before.keys(), ...(now ?? [])]);
    const after = await stampsOf(root, paths);
    return [...paths]
      .filter((path) => after.get(path) !== before.get(path))
      .map((path) => Buffer.from(path, BYTES).toString("utf8"));
  };
}

async function listed(root: string, { untracked, quit }: StampRequest): Promise<string[] | null> {
  const found: string[] = [];
  const list = async (options: readonly string[], wants: (path: string) => boolean) => {
    const { add: take } = nulSplitter((path) => {
      if (found.length < MOST_FILES && wants(path)) found.push(path);
    }, BYTES);
    const args = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "ls-files", "-z", ...options];
    return (await runProgram({ file: "git", args, cwd: root, env: NO_PROMPTS, quit, take })).code === 0;
  };
  const isListed =
    (await list([], () => true)) &&
    (untracked === null ||
      (await list(["--others", "--exclude-standard"], (path) => untracked(Buffer.from(path, BYTES).toString("utf8")))));
  return isListed ? found : null;
}

const FILES_AT_ONCE = 1_000;

/** In portions, so that a large checkout does not block this process. */
async function stampsOf(root: string, paths: Iterable<string>): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  const folder = Buffer.from(`${root}/`);
  for (const path of paths) {
    stamps.set(path, stampOf(Buffer.concat([folder, Buffer.from(path, BYTES)])));
    if (stamps.size % FILES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return stamps;
}

function stampOf(path: Buffer): string {
  const stats = entryAt(path);
  // A submodule: its own files are not listed.
  if (!stats || stats.isDirectory()) return stats ? "folder" : "";
  return `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}
