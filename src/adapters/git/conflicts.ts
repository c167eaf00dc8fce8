import { nulSplitter } from "../io/lines.ts";
import { hardenedGit } from "./hardened-git.ts";

/** Describes a conflict in words that follow the file's name. */
export type ConflictKind =
  | "both sides changed it"
  | "both sides added it"
  | "changed by the task, deleted by the target"
  | "deleted by the task, changed by the target"
  | "both sides changed it, and it is binary: the task's version is in place, without markers"
  | "both sides renamed it, to different names"
  | "renamed by one side, deleted by the other"
  | "in a folder that one side renamed"
  | "a file for one side, a folder for the other"
  | "of another kind or mode for each side"
  | "a submodule that both sides moved"
  | "git could not merge it";

export interface Conflict {
  path: string;
  kind: ConflictKind;
}

/** Matched against git's message types, specific kinds first, because git reports several for some files. */
const KINDS: readonly [word: RegExp, kind: ConflictKind][] = [
  [/submodule/, "a submodule that both sides moved"],
  [/binary/, "both sides changed it, and it is binary: the task's version is in place, without markers"],
  [/rename\/rename/, "both sides renamed it, to different names"],
  [/rename\/delete/, "renamed by one side, deleted by the other"],
  [/file\/directory/, "a file for one side, a folder for the other"],
  [/distinct (?:modes|types)/, "of another kind or mode for each side"],
  [/directory rename|rename involved/, "in a folder that one side renamed"],
];

const STAGE = /^\d+ \w+ ([123])\t([\s\S]+)$/;

/** Reads what `git merge-tree --write-tree -z` prints: a tree, the stages of files in conflict, and messages. */
export function conflictReader() {
  let tree = "";
  /** The next field of a message: the number of paths, the paths, its type, its text. */
  let next: "count" | "path" | "type" | "text" = "count";
  let paths: string[] = [];
  let awaited = 0;
  const stages = new Map<string, Set<string>>();
  const words = new Map<string, string>();
  const message = {
    count(entry: string) {
      [awaited, paths] = [Number(entry), []];
      next = awaited > 0 ? "path" : "type";
    },
    path(entry: string) {
      if (paths.push(entry) >= awaited) next = "type";
    },
    type(entry: string) {
      if (entry.startsWith("CONFLICT")) for (const path of paths) words.set(path, `${words.get(path) ?? ""} ${entry}`);
      next = "text";
    },
    text() {
      next = "count";
    },
  };
  const entries = nulSplitter((entry) => {
    const [, stage, path] = (next === "count" && STAGE.exec(entry)) || [];
    if (tree === "") tree = entry;
    else if (stage && path) stages.set(path, (stages.get(path) ?? new Set()).add(stage));
    else message[next](entry);
  });
  return {
    add: entries.add,
    end: entries.end,
    tree: () => tree,
    conflicts: (): Conflict[] =>
      [...stages].map(([path, seen]) => ({ path, kind: kindOf(words.get(path) ?? "", seen) })),
  };
}

function kindOf(words: string, stages: ReadonlySet<string>): ConflictKind {
  const known = KINDS.find(([word]) => word.test(words));
  if (known) return known[1];
  const [base, ours, theirs] = ["1", "2", "3"].map((stage) => stages.has(stage));
  if (ours && theirs) return base ? "both sides changed it" : "both sides added it";
  if (base && ours) return "changed by the task, deleted by the target";
  if (base && theirs) return "deleted by the task, changed by the target";
  return "git could not merge it";
}

const PATHS_AT_ONCE = 200;

/** The given files that still have conflict markers in a commit; null if git cannot determine it. */
export async function filesWithMarkers(
  cwd: string,
  commit: string,
  paths: readonly string[],
): Promise<string[] | null> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const found: string[] = [];
  // A path that is not valid UTF-8 was not decoded losslessly, so git would not find it.
  if (paths.some((path) => path.includes("\ufffd"))) return null;
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const entries = nulSplitter((entry) => found.push(entry.slice(commit.length + 1)));
    const how = ["-I", "--name-only", "-z", "--full-name", "-E", "-e", "^(<{7,}|>{7,})( |$)"];
    const some = paths.slice(at, at + PATHS_AT_ONCE);
    const more = { take: entries.add, env: { GIT_LITERAL_PATHSPECS: "1" } };
    const { code } = await run(["grep", ...how, commit, "--", ...some], more);
    if (code !== 0 && code !== 1) return null;
  }
  return found;
}
