import type { ProgramRun } from "../io/program.ts";
import { differsFromIndex } from "./choose-changes.ts";
import { withPaths } from "./pathspec-file.ts";
import { git } from "./repository.ts";
import type { StatusEntry } from "./status.ts";

interface Staged {
  /** What git reports about the last path that it refused; null if there is none. */
  error: string | null;
  refused: readonly StatusEntry[];
}

/** Forced because git refuses to add a tracked file in an ignored folder by name. The list has no ignored files. */
const ADD = ["add", "--all", "--force"];
/** Another git process is at work, or a file has gone since: a later attempt stages everything. */
const PASSING = /\.lock': File exists|did not match any file/;

/** Stages what it can: a path that git refuses does not keep the others from a commit. */
export async function stage(cwd: string, entries: readonly StatusEntry[]): Promise<Staged | { retry: string }> {
  const behind = behindLinks(entries);
  const rest = entries.filter((entry) => !behind.has(entry) && differsFromIndex(entry));
  const add = (some: readonly StatusEntry[], ...more: string[]): Promise<ProgramRun> =>
    withPaths(some, (paths) => git(cwd, ...ADD, ...more, ...paths));
  const refused = [...behind];
  let error = behind.size > 0 ? "a folder was replaced by a symbolic link" : null;
  const pending = [rest];
  for (let some = pending.pop(); some; some = pending.pop()) {
    let run = await add(some);
    // Outside of a sparse checkout.
    if (run.code !== 0 && /sparse/.test(run.stderr)) run = await add(some, "--sparse");
    if (run.code === 0) continue;
    if (PASSING.test(run.stderr)) return { retry: run.stderr };
    const half = some.length >> 1;
    if (half > 0) pending.push(some.slice(0, half), some.slice(half));
    else {
      refused.push(...some);
      error = run.stderr;
    }
  }
  return { error, refused };
}

/** Files of a folder that is a link now, and the link: `git commit --only` would follow it. */
function behindLinks(entries: readonly StatusEntry[]): Set<StatusEntry> {
  const known = new Map(entries.map((entry) => [entry.bytes, entry]));
  const found = new Set<StatusEntry>();
  for (const entry of entries) {
    for (let at = entry.bytes.lastIndexOf("/"); at > 0; at = entry.bytes.lastIndexOf("/", at - 1)) {
      const link = known.get(entry.bytes.slice(0, at));
      if (link) found.add(entry).add(link);
    }
  }
  return found;
}
