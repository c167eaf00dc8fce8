import { nulSplitter } from "../io/lines.ts";
import { runProgram } from "../io/program.ts";
import { NO_PROMPTS } from "./repository.ts";

/** An uncommitted path: its content differs from the last commit, or it is not in it. */
export interface StatusEntry {
  /** Relative to the checkout's root. Each byte of the name is one character: names need not be valid UTF-8. */
  bytes: string;
  path: string;
  /** Whether the last commit has a file there. */
  tracked: boolean;
  /** What git reports about it. */
  line: string;
  /** Its modes in the last commit and in the checkout, and its content in the last commit. Not if the commit lacks it. */
  head?: HeadEntry;
}

export interface HeadEntry {
  mode: string;
  hash: string;
  modeNow: string;
}

const HOW = ["--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
/** `1 XY sub mH mI mW hH hI path`; a conflict has three stages. */
const ENTRY = /^(?:1 \S+ \S+ (\d+) \d+ (\d+) (\S+) \S+ |u (?:\S+ ){9})([\s\S]*)$/;
/** The mode of what is not there. */
export const ABSENT = "000000";

/**
 * Uncommitted files below `cwd` that match the pathspecs, at most `most + 1`. Read-only. Null if git cannot list them.
 * `ignored` gets what git ignores: a folder that a rule matches is one path.
 */
export async function statusOf(
  cwd: string,
  pathspecs: readonly string[],
  most = Number.POSITIVE_INFINITY,
  ignored?: (bytes: string) => void,
): Promise<StatusEntry[] | null> {
  const found = new Map<string, StatusEntry>();
  const { add: take } = nulSplitter((line) => {
    if (line.startsWith("! ")) return ignored?.(withoutSlash(line.slice(2)));
    const entry = entryOf(line);
    const before = found.get(entry?.bytes ?? "");
    if (!entry || (found.size > most && !before)) return;
    // A file that is removed from the index but still there is listed twice.
    found.set(entry.bytes, before ? { ...before, tracked: true, line: `${before.line}\0${line}` } : { ...entry, line });
  }, "latin1");
  const args = [
    "--no-optional-locks",
    "status",
    ...HOW,
    ...(ignored ? ["--ignored=matching"] : []),
    "--",
    ...pathspecs,
  ];
  const { code } = await runProgram({ file: "git", args, cwd, env: NO_PROMPTS, take });
  return code === 0 ? [...found.values()] : null;
}

function entryOf(line: string): Omit<StatusEntry, "line"> | null {
  if (line.startsWith("? ")) return entryAt(line.slice(2), false);
  const [, mode = "", modeNow = "", hash = "", path] = ENTRY.exec(line) ?? [];
  if (path === undefined) return null;
  const tracked = mode !== ABSENT;
  return { ...entryAt(path, tracked), ...(tracked && hash ? { head: { mode, hash, modeNow } } : {}) };
}

/** A trailing slash marks a nested repository. */
function entryAt(listed: string, tracked: boolean): Omit<StatusEntry, "line"> {
  const bytes = withoutSlash(listed);
  return { bytes, path: Buffer.from(bytes, "latin1").toString("utf8"), tracked };
}

const withoutSlash = (listed: string): string => listed.replace(/\/$/, "");
