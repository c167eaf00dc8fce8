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
}

const MOST_NAMED = 5;

export const namedFiles = (paths: readonly string[]): NamedFiles => ({
  files: paths.length,
  named: paths.slice(0, MOST_NAMED),
});

export const leftOutOf = (both: readonly string[], secrets: readonly string[]): LeftOut | null =>
  both.length + secrets.length === 0
    ? null
    : {
        ...(both.length > 0 ? { both: namedFiles(both) } : {}),
        ...(secrets.length > 0 ? { secrets: namedFiles(secrets) } : {}),
      };

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
export function leftOutWords({ both, secrets }: LeftOut): string[] {
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
  ];
}
