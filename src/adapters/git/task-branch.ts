import { RalphError } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import { isId } from "../../core/task/task.ts";
import type { TaskWork } from "../../core/task/work.ts";
import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import { ensureCheckout } from "./task-checkout.ts";
import { baseRef, branchOf, branchRef, commitAt, isLoopWork, isReachable, swapRef } from "./task-refs.ts";
import { listWorktrees } from "./worktree-list.ts";

interface WorkRequest {
  cwd: string;
  task: string;
  /** The branch to merge into; by default the one checked out in `cwd`. */
  target?: string;
  worktrees: string;
}

/**
 * Creates the branch and worktree of a task, or reuses existing ones. The checkout in `cwd` is not touched. Throws a
 * RalphError for what the user can fix. A journalled result takes precedence: `base` is only right for a task that has
 * not been worked on.
 */
export async function prepareWork({ cwd, task, target, worktrees }: WorkRequest): Promise<TaskWork> {
  if (!isId(isLoopWork(task) ? task.slice(task.indexOf("/") + 1) : task))
    throw new RalphError("bad-id", `${cut(task, 80)} cannot be the id of a task`);
  const run = await hardenedGit(cwd, { whose: "ralph" });
  await requireGit(run);
  const into = await findTarget(run, target);
  const branch = branchOf(task);
  if (into.name === branch) {
    throw new RalphError("own-target", `${branch} cannot be merged into itself`, {
      hint: "check out the branch that tasks are merged into, or specify it: --target <branch>",
    });
  }
  const base = await ensureBranch(run, task, into);
  const worktree = await ensureCheckout(run, task, worktrees);
  return { branch, target: into.name, base, worktree };
}

/** The first version that can merge without a checkout. */
const OLDEST = [2, 38] as const;

async function requireGit(run: HardenedGit): Promise<void> {
  const { code, stdout } = await run(["version"]);
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? [];
  if (code === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))) return;
  const message = `worktrees need git ${OLDEST.join(".")} or later, found: ${stdout.trim() || "none"}`;
  throw new RalphError("git-too-old", message, { hint: "install a newer git" });
}

interface Target {
  name: string;
  commit: string;
}

/** The branch that tasks are merged into: the given one, or the one that is checked out. */
export const targetOf = async (cwd: string, given: string | undefined): Promise<string> =>
  (await findTarget(await hardenedGit(cwd, { whose: "ralph" }), given)).name;

async function findTarget(run: HardenedGit, given: string | undefined): Promise<Target> {
  await requireRepository(run);
  return given === undefined ? await checkedOut(run) : await named(run, given);
}

async function requireRepository(run: HardenedGit): Promise<void> {
  if ((await run(["rev-parse", "--git-dir"])).code === 0) return;
  throw new RalphError("no-repository", "a worktree needs a git repository, and this is not one", {
    hint: "run git init and make a first commit",
  });
}

async function named(run: HardenedGit, name: string): Promise<Target> {
  const ref = branchRef(name);
  const valid = (await run(["check-ref-format", ref])).code === 0;
  const commit = valid ? await commitAt(run, ref) : null;
  if (commit !== null) return { name, commit };
  throw new RalphError("unknown-target", `there is no branch ${cut(name, 200)} here`, {
    hint: "specify a local branch; `git branch` lists them",
  });
}

async function checkedOut(run: HardenedGit): Promise<Target> {
  const name = await headBranch(run);
  if (name === null) {
    throw new RalphError("detached-head", "no branch is checked out here to merge into", {
      hint: "check out a branch, or specify one for tasks: --target <branch>",
    });
  }
  const commit = await commitAt(run, branchRef(name));
  if (commit !== null) return { name, commit };
  throw new RalphError("no-commit", `the branch ${name} has no commit yet`, {
    hint: "worktrees start from a commit: make the first one",
  });
}

/** The checked-out branch; null if HEAD is detached. Throws if there is no repository. */
export async function currentBranch(cwd: string): Promise<string | null> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  await requireRepository(run);
  return await headBranch(run);
}

async function headBranch(run: HardenedGit): Promise<string | null> {
  const { code, stdout } = await run(["symbolic-ref", "--quiet", "HEAD"]);
  const ref = stdout.trim();
  return code === 0 && ref.startsWith(branchRef("")) ? ref.slice(branchRef("").length) : null;
}

export const hasBranch = async (cwd: string, task: string): Promise<boolean> =>
  (await commitAt(await hardenedGit(cwd, { whose: "ralph" }), branchRef(branchOf(task)))) !== null;

const MADE = "ralph: start work";

/** A ref first records that Ralph makes the branch. One without own commits is moved to the target if not in use. */
async function ensureBranch(run: HardenedGit, task: string, into: Target): Promise<string> {
  const branch = branchOf(task);
  const ref = branchRef(branch);
  const head = await commitAt(run, ref);
  const mark = await commitAt(run, baseRef(task));
  const empty = head !== null && (await isReachable(run, head, into.commit)) === true;
  if (head !== null && !empty) {
    if (mark !== null) return mark;
    throw new RalphError("branch-exists", `the branch ${branch} already exists, and Ralph did not create it`, {
      hint: `it has commits that ${into.name} does not have: rename it (git branch -m ${branch} <name>) or merge it`,
    });
  }
  const busy = head !== null && (await listWorktrees(run)).some((worktree) => worktree.branch === ref);
  const base = busy ? head : into.commit;
  const failed =
    (await swapRef(run, baseRef(task), { to: base, why: MADE })) ??
    (head === base ? null : await swapRef(run, ref, { to: base, from: head ?? "", why: MADE }));
  if (failed === null || (await commitAt(run, ref)) === base) return base;
  throw new RalphError("branch-failed", `the branch ${branch} cannot be created: ${failed}`, {
    hint: "rename a branch whose name is a prefix of it (such as `task`), or remove a lock that a killed git left behind",
  });
}
