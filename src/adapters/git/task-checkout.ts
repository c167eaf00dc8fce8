import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { makeFolder } from "../io/folder.ts";
import { namesIn, textAt } from "../io/look.ts";
import type { HardenedGit } from "./hardened-git.ts";
import { sleep } from "./locks.ts";
import { openCheckout, settle } from "./reset-checkout.ts";
import { branchOf, branchRef, folderOf, gitErrorText } from "./task-refs.ts";
import { listWorktrees, type Worktree } from "./worktree-list.ts";

/** Written once everything is checked out; no work happens before that. */
const READY = "ralph-ready";
const LOOKS = 60;
const LOOK_MS = 100;
/** Git's lock reason while it creates a worktree. */
const BEING_MADE = "initializing";
/** How often to wait for another git: creating a worktree without its files takes milliseconds. */
const PATIENCE = 20;

/** Creates or repairs the worktree of a task on its branch, even after an attempt was killed. Returns its path. */
export async function ensureCheckout(run: HardenedGit, task: string, worktrees: string): Promise<string> {
  makeFolder(worktrees);
  const path = join(realpathSync(worktrees), folderOf(task));
  let refused = "";
  for (let look = 0; look < LOOKS; look++) {
    const all = await listWorktrees(run);
    const here = all.find((worktree) => worktree.path === path);
    refuseElsewhere(task, path, all);
    if (!here) refused = (await enter(run, task, path)) ?? "";
    else if (here.locked === BEING_MADE && look < PATIENCE) await sleep(LOOK_MS);
    else if (here.locked === BEING_MADE || isEmpty(path)) await forget(run, here);
    else if (await isWhole(run, path)) return await fill(path, task);
    if (refused) await sleep(LOOK_MS);
  }
  const why = refused || "git does not register it";
  throw new RalphError("worktree-failed", `the worktree ${path} cannot be created: ${why}`);
}

const isEmpty = (path: string): boolean => !existsSync(path) || readdirSync(path).length === 0;

function refuseElsewhere(task: string, path: string, all: readonly Worktree[]): void {
  const other = all.find((worktree) => worktree.branch === branchRef(branchOf(task)) && worktree.path !== path);
  // A worktree that was moved here is linked again.
  if (!other || (!existsSync(other.path) && existsSync(join(path, ".git")))) return;
  throw new RalphError("branch-checked-out", `${branchOf(task)} is checked out in ${other.path}`, {
    hint: existsSync(other.path)
      ? "check out another branch there"
      : `that folder is gone: git worktree remove --force ${JSON.stringify(other.path)}`,
  });
}

/** Registers the folder as a worktree. Returns git's error message, or null. */
async function enter(run: HardenedGit, task: string, path: string): Promise<string | null> {
  if (!isEmpty(path)) {
    const admin = await adminFolders(run);
    const own = admin.find((folder) => linkOf(join(path, ".git")) === folder);
    if (own === undefined) throw inTheWay(path);
    writeFileSync(join(own, "gitdir"), `${join(path, ".git")}\n`);
    return null;
  }
  const { code, stderr } = await run(["worktree", "add", "--quiet", "--no-checkout", path, branchOf(task)]);
  return code === 0 ? null : gitErrorText(stderr);
}

const inTheWay = (path: string): RalphError =>
  new RalphError("worktree-in-the-way", `${path} exists, but is not a git worktree`, {
    hint: "remove it if nothing in it is needed, or move it elsewhere",
  });

/** Unregisters one worktree whose files are gone. */
async function forget(run: HardenedGit, { path, locked }: Worktree): Promise<void> {
  if (locked !== null && locked !== BEING_MADE) {
    const why = locked || "no reason given";
    throw new RalphError("worktree-locked", `the worktree ${path} is gone, but locked: ${why}`, {
      hint: `put it back, or git worktree unlock ${JSON.stringify(path)}`,
    });
  }
  if (existsSync(path) && readdirSync(path).some((name) => name !== ".git")) throw inTheWay(path);
  rmSync(path, { recursive: true, force: true });
  await run(["worktree", "remove", "--force", "--force", path]);
}

/** Whether the folder is linked to git's data about it; restores a missing link. */
async function isWhole(run: HardenedGit, path: string): Promise<boolean> {
  const link = join(path, ".git");
  const own = (await adminFolders(run)).find((folder) => linkOf(join(folder, "gitdir")) === link);
  if (own === undefined) return false;
  if (linkOf(link) !== own) writeFileSync(link, `gitdir: ${own}\n`);
  return true;
}

/** The folders with git's data about each linked worktree. */
async function adminFolders(run: HardenedGit): Promise<string[]> {
  const { stdout } = await run(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const folder = join(realpathSync(stdout.replace(/\n$/, "")), "worktrees");
  return namesIn(folder).map((name) => join(folder, name));
}

/** The target of one of the two files that link a worktree and its repository. */
function linkOf(path: string): string | null {
  const text = textAt(path).trimEnd();
  return text === "" ? null : resolve(dirname(path), text.replace(/^gitdir: /, ""));
}

/** Checks out the files, unless that was done before: what is there by then may be uncommitted work. */
async function fill(path: string, task: string): Promise<string> {
  const checkout = await openCheckout(path, task);
  if (typeof checkout === "string") throw new RalphError("worktree-failed", checkout);
  const ready = join(checkout.gitDir, READY);
  if (existsSync(ready)) return path;
  const settled = await settle(checkout, branchOf(task));
  if (settled.is === "failed") {
    throw new RalphError("worktree-failed", `the files of ${path} cannot be checked out: ${settled.why}`, {
      hint: `fix that in ${dirname(path)}, then try again`,
    });
  }
  writeFileSync(ready, "");
  return path;
}
