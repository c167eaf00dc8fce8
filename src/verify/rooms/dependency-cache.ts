import { createHash, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { lstat, mkdir, readdir, rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { entryAt, textAt } from "../../adapters/io/look.ts";
import { runProgram } from "../../adapters/io/program.ts";
import { moveAside, removeFolder } from "../../adapters/io/remove-folder.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";

/** Folders created by a setup, kept under a key. They are copied, never linked, so that a check cannot change them. */
interface DependencyCache {
  /** Copies the folders kept under the key into a checkout. False if there are none. */
  copyIn(request: CopyRequest): Promise<boolean>;
  /** Keeps the current folders. Folders that cannot be kept are created again next time. */
  keep(request: CopyRequest): Promise<void>;
}

interface CopyRequest {
  key: string;
  root: string;
  /** Relative to the root. */
  folders: readonly string[];
  quit: AbortSignal;
}

const MOST_ENTRIES = 5;
const LONG_AGO_MS = 24 * 60 * 60_000;
/** Being written or removed; after a while, left behind by a killed process. */
const PASSING = /^\.(new|old)-/;

/** The file in an entry with its stamp from when it was made. */
const STAMP = ".stamp";
/** Of the entries that this process has used: a turn could have changed them and that file since. */
const stamps = new Map<string, string>();

export function dependencyCache(home: string): DependencyCache {
  return {
    async copyIn({ key, root, quit, ...request }) {
      const entry = join(home, key);
      const folders = ownFolders(root, request.folders);
      if (!isFolder(entry)) return false;
      try {
        const stamp = contentStamp(entry);
        if (stamp !== (stamps.get(entry) ?? textAt(join(entry, STAMP)))) {
          await removeEntry(home, key);
          return false;
        }
        stamps.set(entry, stamp);
        const now = new Date();
        await utimes(entry, now, now);
        for (const folder of folders) {
          await removeFolder(join(root, folder));
          if (isFolder(join(entry, folder))) await copy(join(entry, folder), join(root, folder), quit);
        }
        return true;
      } catch {
        // Another process may have evicted them just now. A partial copy would be worse than none.
        for (const folder of folders) await removeFolder(join(root, folder));
        return false;
      }
    },
    async keep({ key, root, folders, quit }) {
      const draft = join(home, `.new-${randomBytes(6).toString("hex")}`);
      try {
        await mkdir(draft, { recursive: true });
        for (const folder of folders) {
          if (isFolder(join(root, folder))) await copy(join(root, folder), join(draft, folder), quit);
        }
        const stamp = contentStamp(draft);
        await writeFile(join(draft, STAMP), stamp);
        // Atomic for concurrent readers. If another process was faster, its copy stays.
        await rename(draft, join(home, key));
        stamps.set(join(home, key), stamp);
        await prune(home);
      } catch {
        await removeFolder(draft);
      }
    },
  };
}

/** The folders really inside the root: a committed symlink above one would make Ralph change files elsewhere. */
export const ownFolders = (root: string, folders: readonly string[]): string[] =>
  folders.filter((folder) => {
    const above = dirname(folder).split("/");
    return above.every((_, i) => {
      const found = entryAt(join(root, ...above.slice(0, i + 1)));
      return found === undefined || found.isDirectory();
    });
  });

/** Every file with its change time, which only the system sets. */
function contentStamp(entry: string): string {
  const hash = createHash("sha256");
  for (const path of walkFiles(entry, "", { skip: new Set(), most: Number.POSITIVE_INFINITY })) {
    if (path === STAMP) continue;
    const { ino, mode, size, ctimeMs } = lstatSync(join(entry, path));
    hash.update(`${path}\0${ino} ${mode} ${size} ${ctimeMs}\0`);
  }
  return hash.digest("hex");
}

/** A link is none. */
const isFolder = (path: string): boolean => entryAt(path)?.isDirectory() ?? false;

async function copy(from: string, to: string, quit: AbortSignal): Promise<void> {
  quit.throwIfAborted();
  await mkdir(dirname(to), { recursive: true });
  // Ten times as fast as Node's copy, and shares unchanged data if the file system supports it.
  const { code, stderr } = await runProgram({ file: "cp", args: ["-RPp", "--", from, to], cwd: "/", quit });
  if (code !== 0) throw new Error(stderr);
}

async function prune(home: string): Promise<void> {
  const names = await readdir(home);
  const found = await Promise.all(
    names.map(async (name) => ({ name, usedMs: (await lstat(join(home, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const entries = found.filter(({ name }) => !PASSING.test(name)).sort((a, b) => b.usedMs - a.usedMs);
  const left = found.filter(({ name, usedMs }) => PASSING.test(name) && usedMs < Date.now() - LONG_AGO_MS);
  for (const { name } of [...entries.slice(MOST_ENTRIES), ...left]) await removeEntry(home, name);
}

async function removeEntry(home: string, name: string): Promise<void> {
  const aside = await moveAside(join(home, name), join(home, `.old-${randomBytes(6).toString("hex")}`));
  if (aside) await removeFolder(aside);
}
