import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import { freeLock } from "./locks.ts";
import { type Checkout, setAside } from "./rescue-uncommitted.ts";
import { branchRef, commitAt, gitErrorText, isReachable, swapRef } from "./task-refs.ts";
import { gitDirOf, inProgress } from "./worktree-list.ts";

/** `aside`: refs of uncommitted files that were saved. */
type Settled = { is: "settled"; head: string; aside: readonly string[] } | { is: "failed"; why: string };

/** A git process that outlived its driver may still be finishing a large checkout. */
const LOCK_MS = 10 * 60_000;

/** Opens the checkout of a task, or returns the reason for a failure. */
export async function openCheckout(path: string, task: string): Promise<Checkout | string> {
  if (!existsSync(join(path, ".git"))) return `the worktree is gone: ${path}`;
  const run = await hardenedGit(path, { whose: "ralph" });
  const gitDir = await gitDirOf(run);
  return gitDir === null ? `git cannot read the worktree ${path}` : { run, path, gitDir, task };
}

/**
 * Resets a task's checkout to its branch: the branch is checked out, no operation is in progress and no tracked file is
 * changed. Uncommitted work is saved first. Commits that an agent made on top of the branch without moving it (on
 * another branch, say) are added to the branch, because they are what was verified.
 */
export async function settle(checkout: Checkout, branch: string): Promise<Settled> {
  const { run, gitDir } = checkout;
  const locked = await freeLocks(gitDir, run, branch);
  if (locked !== null) return { is: "failed", why: `git is locked: ${locked}` };
  const ref = branchRef(branch);
  const [head, at] = [await commitAt(run, ref), await commitAt(run, "HEAD")];
  if (head === null) return { is: "failed", why: `the branch ${branch} is gone` };
  const on = (await run(["symbolic-ref", "--quiet", "HEAD"])).stdout.trim() === ref;
  if (on && inProgress(gitDir) === null && (await isClean(run))) return { is: "settled", head, aside: [] };
  const ahead = !on && at !== null && (await isReachable(run, head, at)) === true;
  const stray = !on && at !== null && !ahead && (await isReachable(run, at, head)) !== true;
  const kept = await setAside(checkout, { commit: ahead ? at : head, head: at ?? head, stray });
  if (kept.is === "failed") return kept;
  const why = "ralph: back on the branch";
  const failed = ahead && at !== head ? await swapRef(run, ref, { to: at, from: head, why }) : null;
  const left = failed ?? (await leave(checkout, ref));
  if (left !== null) return { is: "failed", why: left };
  return { is: "settled", head: ahead ? at : head, aside: kept.is === "kept" ? [kept.ref] : [] };
}

/** Quits operations in progress and checks out the branch. Returns the reason for a failure, or null. */
async function leave({ run, gitDir }: Checkout, ref: string): Promise<string | null> {
  const there = (name: string) => existsSync(join(gitDir, name));
  if (there("rebase-apply/applying")) await run(["am", "--quit"]);
  else if (there("rebase-merge") || there("rebase-apply")) await run(["rebase", "--quit"]);
  if (there("sequencer")) await run(["cherry-pick", "--quit"]);
  if (there("BISECT_LOG")) await run(["bisect", "reset", "HEAD"]);
  const pointed = await run(["symbolic-ref", "-m", "ralph: back on the branch", "HEAD", ref]);
  if (pointed.code !== 0) return gitErrorText(pointed.stderr);
  return await checkOut(run);
}

/** Resets index and files to HEAD. Returns the reason for a failure, or null. */
export async function checkOut(run: HardenedGit): Promise<string | null> {
  const { code, stderr } = await run(["reset", "--quiet", "--hard", "HEAD", "--"]);
  return code === 0 ? null : gitErrorText(stderr);
}

async function isClean(run: HardenedGit): Promise<boolean> {
  const how = ["--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all"];
  const { code, stdout } = await run(["--no-optional-locks", "status", ...how]);
  return code === 0 && stdout === "";
}

/** Waits for git's locks. Returns a lock that stays in use, or null. */
async function freeLocks(gitDir: string, run: HardenedGit, branch: string): Promise<string | null> {
  const { stdout } = await run(["rev-parse", "--path-format=absolute", "--git-path", branchRef(branch)]);
  const locks = [join(gitDir, "index.lock"), join(gitDir, "HEAD.lock"), `${stdout.trim()}.lock`];
  for (const lock of locks) if (!(await freeLock(lock, LOCK_MS))) return lock;
  return null;
}
