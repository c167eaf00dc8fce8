import { printable } from "../ansi.ts";
import { counted, firstNamed } from "../excerpt.ts";
import { quoted } from "../shell.ts";

/** Files by number, and the first of them by path. */
export interface NamedFiles {
  files: number;
  named: readonly string[];
}

/** The uncommitted files of a checkout when its loop began. `digest`: of the full record beside the journal. */
export interface EarlierChanges extends NamedFiles {
  digest: string;
}

/** Files that a commit by Ralph leaves to the user. */
export interface LeftOut {
  /** Changed before the loop began and during it: the edits cannot be separated. */
  both?: NamedFiles;
  /** May contain secrets. */
  secrets?: NamedFiles;
  /** Ignored by git, or inside something that was, when the loop began. */
  ignored?: NamedFiles;
  /** New repositories inside the repository. */
  repositories?: NamedFiles;
  /** Git refused to stage them. */
  unstaged?: NamedFiles;
}

const MOST_NAMED = 5;

export const namedFiles = (paths: readonly string[]): NamedFiles => ({
  files: paths.length,
  named: paths.slice(0, MOST_NAMED),
});

/** Paths by why they are left out; null if none is. */
export function leftOutOf(paths: Readonly<Partial<Record<keyof LeftOut, readonly string[]>>>): LeftOut | null {
  const some = Object.entries(paths).filter(([, of]) => of.length > 0);
  return some.length === 0 ? null : Object.fromEntries(some.map(([why, of]) => [why, namedFiles(of)]));
}

const listed = ({ files, named }: NamedFiles): string => {
  const more = files - named.length;
  return firstNamed(named.map(printable), named.length) + (more > 0 ? ` and ${more} more` : "");
};

/** Paths as words of a shell command. */
const argumentsOf = ({ named }: NamedFiles): string =>
  named.map((path) => (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(path) ? path : quoted(printable(path)))).join(" ");

/** What Ralph's commits leave alone, for the start of a loop. */
export const earlierWords = (earlier: NamedFiles): string =>
  `left out of commits: ${counted(earlier.files, "file")} that ${earlier.files === 1 ? "was" : "were"} changed before the loop began: ${listed(earlier)}`;

export const EARLIER_HINT = "to include them: commit them first, or start the loop with --allow-dirty";

/** What a commit has left out and what to do about it, a line each. */
export function leftOutWords({ both, secrets, ignored, repositories, unstaged }: LeftOut): string[] {
  return [
    ...(both
      ? [
          `not committed: ${listed(both)}: changed before the loop began and by the agent too, and the edits cannot be separated; commit yourself: git add -- ${argumentsOf(both)} (git add -p chooses parts)`,
        ]
      : []),
    ...(secrets
      ? [
          `not committed: ${listed(secrets)}: may contain secrets; list it in .gitignore or, if it belongs in the repository: git add -- ${argumentsOf(secrets)} && git commit`,
        ]
      : []),
    ...(ignored
      ? [
          `not committed: ${listed(ignored)}: ignored by git when the loop began, so it may be yours; if it belongs in the repository: git add -- ${argumentsOf(ignored)} && git commit`,
        ]
      : []),
    ...(repositories
      ? [
          `not committed: ${listed(repositories)}: a git repository of its own, and git would store its commit instead of its files; remove its .git folder, list it in .gitignore, or use git submodule add`,
        ]
      : []),
    ...(unstaged
      ? [
          `not committed: ${listed(unstaged)}: git cannot stage it beside the rest (a folder that is now a link, say); to see why: git add -- ${argumentsOf(unstaged)}`,
        ]
      : []),
  ];
}
