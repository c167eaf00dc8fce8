import { type LeftOut, leftOutOf } from "../../core/loop/left-out.ts";
import { isSecretFile, SECRET_TEXT_BYTES } from "../../core/secret-files.ts";
import { changedSince, type FileRecord } from "./earlier-changes.ts";
import { kindAt, textStart } from "./file-identity.ts";
import { git } from "./repository.ts";
import type { StatusEntry } from "./status.ts";

/** What to commit, and what is left to the user. */
export interface Chosen {
  chosen: StatusEntry[];
  leftOut?: LeftOut;
}

/** Chooses what Ralph commits of the uncommitted files: no earlier changes of the user, and no secrets. */
export async function choose(
  root: string,
  entries: readonly StatusEntry[],
  earlier: FileRecord | null,
): Promise<Chosen> {
  const divided = earlier ? await changedSince(root, entries, earlier) : { since: entries, both: [], ignored: [] };
  const { since, both, ignored } = divided;
  const secrets = new Set(since.filter((entry) => isSecret(root, entry)));
  const repositories = new Set(await newRepositories(root, since));
  const chosen = since.filter((entry) => !secrets.has(entry) && !repositories.has(entry) && !isReplaced(root, entry));
  const leftOut = leftOutOf({
    both: both.map(nameOf),
    secrets: [...secrets].map(nameOf),
    ignored: ignored.map(nameOf),
    repositories: [...repositories].map(nameOf),
  });
  return { chosen, ...(leftOut ? { leftOut } : {}) };
}

const nameOf = ({ path }: StatusEntry): string => path;

/** Repositories that the last commit does not have and that are no submodules. */
async function newRepositories(root: string, entries: readonly StatusEntry[]): Promise<StatusEntry[]> {
  const folders = entries.filter(({ bytes, tracked }) => !tracked && kindAt(root, bytes) === "folder");
  if (folders.length === 0) return [];
  const { stdout } = await git(root, "config", "--file", ".gitmodules", "--null", "--get-regexp", "\\.path$");
  const submodules = new Set(stdout.split("\0").map((entry) => entry.slice(entry.indexOf("\n") + 1)));
  return folders.filter(({ path }) => !submodules.has(path));
}

/** Removing a secret is not a secret. */
const isSecret = (root: string, { bytes, path, tracked }: StatusEntry): boolean =>
  kindAt(root, bytes) === "other" &&
  isSecretFile({ path, tracked, text: () => textStart(root, bytes, SECRET_TEXT_BYTES) });

/** A file replaced by a folder: its path would name everything in the folder, and goes with the first file in it. */
const isReplaced = (root: string, { bytes, line }: StatusEntry): boolean =>
  /^1 (?:D.|.D) /.test(line) && kindAt(root, bytes) === "folder";

/** Whether git has something to add: what is already staged as deleted has no file and no index entry. */
export const differsFromIndex = ({ line }: StatusEntry): boolean => /(?:^|\0)(?:\? |1 .[^.] )/.test(line);
