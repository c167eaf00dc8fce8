import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import { holding, lockIsGone, sleep } from "./locks.ts";
import { branchRef, commitAt, gitErrorText, isHash, isReachable, swapRef } from "./task-refs.ts";
import { changedFiles } from "./tracked.ts";
import { treeChanges } from "./tree-changes.ts";
import { gitDirOf, heldBranch, inProgress, listWorktrees } from "./worktree-list.ts";

interface MoveRequest {
  cwd: string;
  target: string;
  commit: string;
  /** The commit it must still be at. */
  onto: string;
}

export type Move =
  | { is: "moved" }
  /** It already contains the commit. */
  | { is: "there" }
  /** It has moved to another commit in the meantime. */
  | { is: "outdated"; now: string }
  /** Uncommitted changes or untracked files in its checkout are in the way; nothing was changed. */
  | { is: "dirty"; checkout: string; files: readonly string[]; untracked?: true }
  /** A git operation is in progress in its checkout. */
  | { is: "busy"; checkout: string; why: string }
  | { is: "failed"; why: string };

/** A git process that outlived its driver, or the user's editor, may be busy for a moment. */
const TRIES = 5;
const RETRY_MS = 200;
const LOCK_MS = 3_000;
/** Updating a large checkout may take minutes. */
const TURN_MS = 5 * 60_000;

/**
 * Moves a target branch to a commit that was verified on top of it. The ref is updated atomically and the update fails
 * if the branch has moved in the meantime. A checked-out target is fast-forwarded beside uncommitted changes of other
 * files. Hooks do not run.
 */
export async function moveTarget(request: MoveRequest): Promise<Move> {
  if (!isHash(request.commit) || !isHash(request.onto)) return { is: "failed", why: "not a commit" };
  const run = await hardenedGit(request.cwd, { whose: "person" });
  const common = await run(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (common.code !== 0) return { is: "failed", why: gitErrorText(common.stderr) };
  // Git does not serialise two fast-forwards: each may check out its files before it notices that the ref has moved.
  const lock = join(common.stdout.replace(/\n$/, ""), "ralph-moving.lock");
  const move = await holding(lock, TURN_MS, () => moveNow(run, request));
  return move ?? { is: "busy", checkout: request.cwd, why: `another process is moving it: ${lock}` };
}

async function moveNow(run: HardenedGit, request: MoveRequest): Promise<Move> {
  let last = await tryMove(run, request);
  // The files in the way may come from another git process that is making the same move.
  for (let attempt = 1; attempt < TRIES && STUCK.has(last.is); attempt++) {
    await sleep(RETRY_MS);
    const now = await tryMove(run, request);
    if (now.is === "dirty" && JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
  }
  return last;
}

const STUCK: ReadonlySet<Move["is"]> = new Set(["dirty", "failed"]);

async function tryMove(run: HardenedGit, request: MoveRequest): Promise<Move> {
  const { target, commit, onto } = request;
  const ref = branchRef(target);
  const now = await commitAt(run, ref);
  if (now === null) return { is: "failed", why: `the branch ${target} is gone` };
  if (await isReachable(run, commit, now)) return { is: "there" };
  if (now !== onto) return { is: "outdated", now };
  if (!(await isReachable(run, onto, commit))) return { is: "failed", why: `${commit} does not contain ${onto}` };
  const places = await checkoutsOf(run, ref);
  if ("is" in places) return places;
  const [checkout, another] = places.paths;
  if (checkout === undefined) return await swap(run, request);
  if (another !== undefined) return { is: "busy", checkout: another, why: "another worktree has it checked out too" };
  return await forward(checkout, request);
}

/** Where a branch is checked out, the uncommitted changes there, and what prevents a merge. */
export interface TargetCheckout {
  path: string;
  files: readonly string[];
  busy: string | null;
}

/** The checkout of a branch; null if there is none. */
export async function targetCheckout(cwd: string, target: string): Promise<TargetCheckout | null> {
  const places = await checkoutsOf(await hardenedGit(cwd, { whose: "person" }), branchRef(target));
  if ("is" in places) return places.is === "busy" ? { path: places.checkout, files: [], busy: places.why } : null;
  const [path] = places.paths;
  if (path === undefined) return null;
  const run = await hardenedGit(path, { whose: "person" });
  const gitDir = await gitDirOf(run);
  const busy = gitDir !== null && inProgress(gitDir) !== null ? busyWords(gitDir) : null;
  return { path, files: (await changedFiles(run, "dirty")) ?? [], busy };
}

/** The checkouts of the target. A rebase or bisect detaches HEAD but returns to the branch, so it counts as busy. */
async function checkoutsOf(run: HardenedGit, ref: string): Promise<{ paths: string[] } | Move> {
  const paths: string[] = [];
  const all = await listWorktrees(run);
  // Without a lock, git takes it for deleted.
  const away = all.find(({ path, branch, locked }) => branch === ref && locked !== null && !existsSync(path));
  if (away) return { is: "busy", checkout: away.path, why: AWAY };
  for (const { path, branch, bare } of all) {
    if (bare || !existsSync(path)) continue;
    if (branch === ref) paths.push(path);
    if (branch !== null) continue;
    const gitDir = await gitDirOf(await hardenedGit(path, { whose: "person" }));
    if (gitDir !== null && heldBranch(gitDir) === ref) return { is: "busy", checkout: path, why: busyWords(gitDir) };
  }
  return { paths };
}

const AWAY =
  "the folder of that locked worktree is not there (attach its volume; if it is deleted, `git worktree unlock` it)";

const busyWords = (gitDir: string): string => `${inProgress(gitDir) ?? "something"} is in progress`;

async function swap(run: HardenedGit, { target, commit, onto }: MoveRequest): Promise<Move> {
  const failed = await swapRef(run, branchRef(target), { to: commit, from: onto, why: "ralph: merge a task" });
  return failed === null ? { is: "moved" } : { is: "failed", why: failed };
}

async function forward(checkout: string, { target, commit }: MoveRequest): Promise<Move> {
  // The user's merge options apply only to merges they run themselves.
  const settings = {
    "merge.autoStash": "false",
    "merge.verifySignatures": "false",
    [`branch.${target}.mergeOptions`]: "",
  };
  const run = await hardenedGit(checkout, { whose: "person", settings });
  const gitDir = await gitDirOf(run);
  if (gitDir === null) return { is: "failed", why: `git cannot read the checkout ${checkout}` };
  const lock = join(gitDir, "index.lock");
  if (!(await lockIsGone(lock, LOCK_MS))) return { is: "busy", checkout, why: `git is locked by ${lock}` };
  if (inProgress(gitDir) !== null) return { is: "busy", checkout, why: busyWords(gitDir) };
  const files = await changedInBoth(run, commit);
  if (files === null) return { is: "failed", why: `git cannot compare the changes in ${checkout}` };
  if (files.length > 0) return { is: "dirty", checkout, files };
  const how = ["--ff-only", "--no-overwrite-ignore", "--no-stat", "--quiet"];
  const { code, stderr } = await run(["merge", ...how, commit]);
  if (code === 0)
    return (await commitAt(run, branchRef(target))) === commit ? { is: "moved" } : { is: "failed", why: "it moved" };
  const named = stderr.split("\n").flatMap((line) => (line.startsWith("\t") ? [line.slice(1)] : []));
  if (named.length === 0) return { is: "failed", why: gitErrorText(stderr) };
  return { is: "dirty", checkout, files: named, ...(UNTRACKED.test(stderr) ? { untracked: true } : {}) };
}

const UNTRACKED = /untracked working tree files/;

/** Files with uncommitted changes that the commit would change too; null if unknown. */
async function changedInBoth(run: HardenedGit, commit: string): Promise<string[] | null> {
  const files = await changedFiles(run, "dirty");
  if (files === null || files.length === 0) return files;
  const changes = await treeChanges(run, "HEAD", commit);
  const touched = new Set(changes?.map(({ path }) => path));
  return changes && files.filter((path) => touched.has(path));
}
