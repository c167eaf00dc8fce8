import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import type { Fingerprints } from "../core/loop/spec.ts";

/** Digests of the files that decide completion, as they are now. A path is kept as it was given. */
export const takeFingerprints = (cwd: string, paths: Iterable<string>): Fingerprints =>
  Object.fromEntries([...new Set(paths)].sort().map((path) => [path, digestOf(resolve(cwd, path))]));

/** Which of them are no longer what they were. */
export const changedSince = (cwd: string, before: Fingerprints): string[] =>
  Object.keys(before).filter((path) => digestOf(resolve(cwd, path)) !== before[path]);

/** The kind of file counts too: a link to an equal file is a change. */
function digestOf(path: string): string {
  try {
    const kind = lstatSync(path);
    if (kind.isSymbolicLink()) return `link:${readlinkSync(path)}:${contentOf(path)}`;
    return contentOf(path);
  } catch {
    return "absent";
  }
}

const contentOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
