import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Discarded } from "../../core/loop/discarded.ts";
import { isRalphFile } from "../../core/ralph-files.ts";
import { nulSplitter } from "../io/lines.ts";
import { moveAside, removeFolder } from "../io/remove-folder.ts";
import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import { freeLock } from "./locks.ts";
import { commitAt, gitErrorText } from "./task-refs.ts";
import { forgetWorktree } from "./worktree.ts";
import { gitDirOf } from "./worktree-list.ts";

/** A detached checkout of one commit that is reset to that commit after every use. */
interface CopyPlace {
  root: string;
  commit: string;
  /** A separate index that only Ralph uses, so that an agent cannot hide files with index flags. */
  index: string;
}

/** What differs from the commit before an agent runs: setup may leave files that git does not ignore. */
export interface CopyStart {
  changed: ReadonlySet<string>;
  others: ReadonlySet<string>;
}

/** Checks the commit out in a new worktree of the repository at `cwd`. Returns the reason for a failure, or null. */
export async function makeCopy(cwd: string, { root, commit, index }: CopyPlace): Promise<string | null> {
  await removeCopy(cwd, root);
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const added = await run(["worktree", "add", "--quiet", "--detach", "--no-checkout", root, commit]);
  if (added.code !== 0) return gitErrorText(added.stderr);
  for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  const inside = await hardenedGit(root, { whose: "ralph" });
  const filled = await inside(["reset", "--quiet", "--hard", commit], own(index));
  if (filled.code !== 0) return gitErrorText(filled.stderr);
  const gitDir = await gitDirOf(inside);
  if (gitDir !== null) copyFileSync(index, join(gitDir, "index"));
  return null;
}

/** Removes a copy and everything in it. Its path is free at once, even if deleting the files takes longer. */
export async function removeCopy(cwd: string, root: string): Promise<void> {
  const gone = `${root}~gone`;
  await removeFolder(gone);
  await moveAside(root, gone);
  await forgetWorktree(cwd, root);
  await removeFolder(gone);
}

/** Records the state of a copy after setup, which no agent is responsible for. */
export async function startOf({ root, commit, index }: CopyPlace): Promise<CopyStart> {
  const run = await hardenedGit(root, { whose: "ralph" });
  await hardReset(run, { commit, index });
  return { changed: new Set(await changedIn(run, { commit, index })), others: new Set(await othersIn(run, index)) };
}

const MOST_NAMED = 20;

/** What changed in a copy since it was last reset. A copy that git can no longer read counts as entirely changed. */
export async function lookAtCopy(place: CopyPlace, start: CopyStart): Promise<Discarded | null> {
  const { root, commit, index } = place;
  const run = existsSync(join(root, ".git")) ? await hardenedGit(root, { whose: "ralph" }) : null;
  if (!run || (await gitDirOf(run)) === null) return { tracked: ["."], added: [], commits: 0 };
  const head = await commitAt(run, "HEAD");
  const moved = head !== null && head !== commit;
  const count = moved ? await run(["rev-list", "--count", `${commit}..${head}`]) : null;
  const files = [
    ...(await changedIn(run, { commit, index })).filter((path) => !start.changed.has(path)),
    ...(moved ? await listed(run, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", commit, head]) : []),
  ];
  const others = (await othersIn(run, index)).filter((path) => !start.others.has(path));
  const tracked = [...new Set(files)].filter((path) => !isRalphFile(path));
  const added = others.filter((path) => !isRalphFile(path) && !tracked.includes(path));
  const commits = Number(count?.stdout.trim() || 0);
  const more = Math.max(0, tracked.length - MOST_NAMED) + Math.max(0, added.length - MOST_NAMED);
  if (tracked.length + added.length + commits === 0) return null;
  const named = { tracked: tracked.slice(0, MOST_NAMED), added: added.slice(0, MOST_NAMED), commits };
  return more > 0 ? { ...named, more } : named;
}

const LOCK_MS = 30_000;
const BEGUN = [
  ...["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"],
  ...["rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS"],
];

/** Resets a copy to its commit and keeps ignored files. False if that fails and the copy has to be recreated. */
export async function resetCopy(place: CopyPlace, start: CopyStart): Promise<boolean> {
  const { root, commit, index } = place;
  if (!existsSync(join(root, ".git"))) return false;
  const run = await hardenedGit(root, { whose: "ralph" });
  const gitDir = await gitDirOf(run);
  if (gitDir === null) return false;
  for (const lock of ["index.lock", "HEAD.lock"]) if (!(await freeLock(join(gitDir, lock), LOCK_MS))) return false;
  for (const name of BEGUN) rmSync(join(gitDir, name), { recursive: true, force: true });
  const detached = await run(["update-ref", "--no-deref", "-m", "ralph: reset the copy", "HEAD", commit]);
  if (detached.code !== 0 || !(await hardReset(run, { commit, index }))) return false;
  const others = (await othersIn(run, index)).filter((path) => !start.others.has(path));
  for (const path of others) if (!(await removeFolder(join(root, path)))) return false;
  rmSync(join(gitDir, "index"), { force: true });
  copyFileSync(index, join(gitDir, "index"));
  return true;
}

type Tree = Pick<CopyPlace, "commit" | "index">;

async function hardReset(run: HardenedGit, { commit, index }: Tree): Promise<boolean> {
  return (await run(["reset", "--quiet", "--hard", commit], own(index))).code === 0;
}

async function changedIn(run: HardenedGit, { commit, index }: Tree): Promise<string[]> {
  await run(["update-index", "-q", "--refresh"], own(index));
  return listed(run, ["diff-index", "-z", "--name-only", "--no-renames", "--ignore-submodules=dirty", commit], index);
}

/** New files and folders that git does not ignore. */
const othersIn = (run: HardenedGit, index: string): Promise<string[]> =>
  listed(run, ["ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory"], index);

async function listed(run: HardenedGit, args: readonly string[], index?: string): Promise<string[]> {
  const found: string[] = [];
  const entries = nulSplitter((entry) => found.push(entry));
  await run(args, { take: entries.add, ...(index === undefined ? {} : own(index)) });
  return found;
}

const own = (index: string) => ({ env: { GIT_INDEX_FILE: index } });
