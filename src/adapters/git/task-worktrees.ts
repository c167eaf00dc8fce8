import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { IGNORED_PATTERNS, KEPT_PATTERNS } from "../../core/ralph-files.ts";
import { typedWord } from "../../core/shell.ts";
import { isId } from "../../core/task/task.ts";
import { nulSplitter } from "../io/lines.ts";
import { moveAside, removeFolder } from "../io/remove-folder.ts";
import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import {
  asideRefs,
  baseRef,
  branchOf,
  branchRef,
  commitAt,
  folderOf,
  isReachable,
  loopWork,
  workOn,
} from "./task-refs.ts";
import { gitDirOf, inProgress, listWorktrees, type Worktree } from "./worktree-list.ts";

/** What git knows about a task, or a branch named like one. */
export interface TaskBranch extends WorkBranch {
  /** Null if what follows `task/` cannot be a task id. */
  task: string | null;
}

/** The same for any work with a branch and worktree of its own. */
export interface WorkBranch {
  branch: string;
  /** Null if only rescued files are left. */
  head: string | null;
  worktree: Worktree | null;
  /** Refs that save uncommitted files of its worktree. */
  aside: readonly string[];
}

/** Every branch `task/…`, and every task with rescued files. */
export const taskBranches = async (cwd: string): Promise<TaskBranch[]> =>
  (await branchesOf(cwd, (name) => name)).map(({ name, ...rest }) => ({ task: isId(name) ? name : null, ...rest }));

/** Every branch `ralph/…`, of loops with a worktree of their own. */
export const loopBranches = (cwd: string): Promise<WorkBranch[]> => branchesOf(cwd, loopWork);

/** `workOf`: the work that has a name; of all names, the refs begin alike. */
async function branchesOf(cwd: string, workOf: (name: string) => string): Promise<(WorkBranch & { name: string })[]> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const worktrees = await listWorktrees(run);
  const found = new Map<string, WorkBranch & { name: string; aside: string[] }>();
  const entry = (name: string, head: string | null) => {
    const branch = branchOf(workOf(name));
    const worktree = worktrees.find((one) => one.branch === branchRef(branch)) ?? null;
    const known = found.get(name) ?? { name, branch, head, worktree, aside: [] };
    found.set(name, known);
    return known;
  };
  const [branches, rescued] = [branchRef(branchOf(workOf(""))), asideRefs(workOf(""))];
  const lines = nulSplitter((line) => {
    const [, head = "", ref = ""] = /^(\w+) (.+)$/.exec(line.trim()) ?? [];
    if (ref.startsWith(branches)) entry(ref.slice(branches.length), head);
    const [name = "", number] = ref.startsWith(rescued) ? ref.slice(rescued.length).split("/") : [];
    if (number !== undefined) entry(name, null).aside.push(ref);
  });
  await run(["for-each-ref", "--format=%(objectname) %(refname)%00", branches, rescued], { take: lines.add });
  return [...found.values()];
}

interface BranchState {
  /** The number of commits that the target does not have; null if unknown. */
  ahead: number | null;
  /** The target has all its commits, and it has some. */
  merged: boolean;
  uncommitted: readonly string[];
}

/** Commits of a branch that its target does not have, and uncommitted files in its worktree. */
export async function branchState(cwd: string, { branch, worktree }: WorkBranch, target: string): Promise<BranchState> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const range = `${branchRef(target)}..${branchRef(branch)}`;
  const { code, stdout } = await run(["rev-list", "--count", "--end-of-options", range, "--"]);
  const files = worktree && existsSync(worktree.path) ? await uncommittedIn(worktree.path) : [];
  const ahead = code === 0 ? Number(stdout.trim()) : null;
  const merged =
    ahead === 0 && (await commitAt(run, baseRef(workOn(branch)))) !== (await commitAt(run, branchRef(branch)));
  return { ahead, merged, uncommitted: files ?? ["?"] };
}

/** Ralph's own files do not count as work. */
const PATHS = [
  ":/",
  ...[...IGNORED_PATTERNS, ...KEPT_PATTERNS, ".gitignore"].map((pattern) => `:(top,exclude,glob)**/.ralph/${pattern}`),
];

async function uncommittedIn(path: string): Promise<string[] | null> {
  const run = await hardenedGit(path, { whose: "ralph" });
  const how = ["--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none"];
  const found: string[] = [];
  const entries = nulSplitter((line) => found.push(line.slice(3)));
  const { code } = await run(["--no-optional-locks", "status", ...how, "--", ...PATHS], { take: entries.add });
  return code === 0 ? found : null;
}

interface RemovalRequest {
  cwd: string;
  /** A task, or the branch of a loop. */
  task: string;
  target: string;
  /** The folder for worktrees of tasks. A worktree elsewhere belongs to the user. */
  worktrees: string;
}

type Removal = { is: "removed" } | { is: "gone" } | { is: "kept"; why: string };

/** Removes a fully merged task's worktree and branch, unless files are uncommitted. The worktree must not be in use. */
export async function removeMerged(request: RemovalRequest): Promise<Removal> {
  const found = await removable(request);
  if (found.is === "kept") return found;
  const { run, head, path, known } = found;
  const ref = branchRef(branchOf(request.task));
  // A name that no task can have.
  const aside = `${path}~gone`;
  if (found.is === "removable") {
    await removeFolder(aside);
    await moveAside(path, aside);
  }
  if (known) await run(["worktree", "remove", "--force", "--force", path]);
  if (head !== null && (await run(["update-ref", "-d", ref, head])).code !== 0) {
    return { is: "kept", why: "its branch has moved in the meantime" };
  }
  // Also cleans up after an interrupted removal.
  await run(["update-ref", "-d", baseRef(request.task)]);
  await removeFolder(aside);
  return { is: found.is === "gone" ? "gone" : "removed" };
}

interface Found {
  run: HardenedGit;
  head: string | null;
  path: string;
  /** Whether git knows the worktree. */
  known: boolean;
}

/** Whether `removeMerged` would remove it. Read-only. */
export async function removable(
  request: RemovalRequest,
): Promise<({ is: "removable" | "gone" } & Found) | { is: "kept"; why: string }> {
  const { cwd, task, target, worktrees } = request;
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const ref = branchRef(branchOf(task));
  const [head, onto] = [await commitAt(run, ref), await commitAt(run, branchRef(target))];
  const path = join(existsSync(worktrees) ? realpathSync(worktrees) : worktrees, folderOf(task));
  const all = await listWorktrees(run);
  const there = all.find((one) => one.path === path);
  const found = { run, head, path, known: there !== undefined };
  if (head === null && !there) return { is: "gone", ...found };
  if (onto === null) return { is: "kept", why: `there is no branch ${target}` };
  if (head !== null && (await isReachable(run, head, onto)) !== true) {
    return { is: "kept", why: `not merged into ${target}` };
  }
  const other = all.find((one) => one.branch === ref && one.path !== path);
  if (other) return { is: "kept", why: `checked out in ${other.path}` };
  if (there?.locked != null) return { is: "kept", why: "its worktree is locked" };
  const why = there && existsSync(path) ? await workIn(path, onto) : null;
  return why === null ? { is: "removable", ...found } : { is: "kept", why };
}

/** The reason to keep a worktree, or null. */
async function workIn(path: string, onto: string): Promise<string | null> {
  const run = await hardenedGit(path, { whose: "ralph" });
  const gitDir = existsSync(join(path, ".git")) ? await gitDirOf(run) : null;
  if (gitDir === null) return `git cannot read ${path}`;
  const begun = inProgress(gitDir);
  if (begun !== null) return `${begun} is in progress in its worktree`;
  const at = await commitAt(run, "HEAD");
  if (at === null || (await isReachable(run, at, onto)) !== true)
    return "its worktree is at a commit that is not merged";
  const files = await uncommittedIn(path);
  if (files === null) return "git cannot determine whether its worktree is clean";
  if (files.length === 0) return null;
  const there = typedWord(path);
  const discard = `git worktree remove --force ${there}`;
  return `uncommitted in its worktree: ${files.slice(0, 3).join(", ")} (commit: git -C ${there} add -A && git -C ${there} commit; discard: ${discard})`;
}

/** Deletes refs of rescued files. Returns how many were deleted. */
export async function dropAside(cwd: string, refs: readonly string[]): Promise<number> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  let dropped = 0;
  for (const ref of refs) if ((await run(["update-ref", "-d", ref])).code === 0) dropped++;
  return dropped;
}
