import { printable } from "../../core/ansi.ts";
import { cut, firstNamed } from "../../core/excerpt.ts";
import type { Settled } from "../../core/loop/events.ts";
import { namedFiles } from "../../core/loop/left-out.ts";
import { IGNORED_PATTERNS, KEPT_PATTERNS } from "../../core/ralph-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { nulSplitter } from "../io/lines.ts";
import { runProgram } from "../io/program.ts";
import { type Chosen, choose } from "./choose-changes.ts";
import type { FileRecord } from "./earlier-changes.ts";
import { addedByHook, beforeCommit, takeBack } from "./hook-additions.ts";
import { withPaths } from "./pathspec-file.ts";
import { git, NO_PROMPTS } from "./repository.ts";
import { stage } from "./stage.ts";
import { type StatusEntry, statusOf } from "./status.ts";
import { gitDirOf, inProgress } from "./worktree-list.ts";

interface CommitRequest {
  cwd: string;
  /** The first line of the message. Called only if there is something to commit; must not change any file. */
  subject(changes: () => Promise<StagedChanges>): Promise<string>;
  /** Unique per effect of a loop. Recorded in the commit, so that a resumed loop can find it. */
  key: string;
  before: string;
  /** The uncommitted files from before the loop, which are the user's; null: there were none, or they count as work. */
  earlier: FileRecord | null;
}

export interface StagedChanges {
  stat: string;
  patch: string;
}

/** The trailer of a commit message that identifies the effect. */
export const effectTrailer = (key: string): string => `${TRAILER}: ${key}`;

const TRAILER = "Ralph-Effect";
/** Run files, receipts and personal settings are left out, whether or not .gitignore lists them. */
export const WORK_PATHS: readonly string[] = [
  ".",
  ...[...IGNORED_PATTERNS, ...KEPT_PATTERNS, "*.local.json", ".gitignore"].map(
    (pattern) => `:(exclude,glob)**/.ralph/${pattern}`,
  ),
];
/** Adding a file with conflicts would mark them as resolved. */
const CONFLICTS = "a merge left unresolved conflicts; nothing was staged or committed";
const busy = (what: string): string =>
  `${what} is in progress: nothing was staged or committed; finish or abort it, and the next iteration commits`;
const TRIES = 40;
const RETRY_MS = 250;

/** Commits the changes below `cwd` once per key, except those that are left to the user. Waits for a lock: a git process may outlive its driver. */
export async function commitOnce(request: CommitRequest): Promise<Settled> {
  for (let attempt = 1; ; attempt++) {
    const tried = (await findCommit(request)) ?? (await tryCommit(request));
    if (tried !== "locked") return tried;
    if (attempt >= TRIES) {
      return { is: "failed", detail: "git is locked: if no git process is running here, remove .git/index.lock" };
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function findCommit({ cwd, key, before }: CommitRequest): Promise<Settled | null> {
  const range = before ? `${before}..HEAD` : "HEAD";
  const line = `--grep=^${effectTrailer(key)}$`;
  const { code, stdout } = await git(cwd, "log", "--max-count=1", "--format=%H", "--basic-regexp", line, range);
  return code === 0 && stdout ? { is: "done", detail: stdout.trim() } : null;
}

/** Usually caused by an agent that works whenever it is run, even when only asked a question. */
const MEDDLED =
  'files changed while the agent was asked for a commit message, so nothing was committed; if it cannot answer without working (RALPH_PURPOSE is "ask" then), set {"scm": {"message": "title"}}';

async function tryCommit(request: CommitRequest): Promise<Settled | "locked"> {
  const { cwd } = request;
  const entries = await statusOf(cwd, WORK_PATHS);
  const root = checkoutRoot(cwd);
  if (!entries || root === null) return { is: "failed", detail: "git cannot list the changes (`git status` fails)" };
  if (entries.some(({ line }) => line.startsWith("u "))) return { is: "failed", detail: CONFLICTS };
  const gitDir = (await gitDirOf((args) => git(cwd, ...args))) ?? root;
  const begun = inProgress(gitDir);
  if (begun !== null) return { is: "failed", detail: busy(begun) };
  const { chosen, leftOut } = await choose(root, entries, request.earlier);
  if (chosen.length === 0) return nothingToCommit(request, leftOut ? { leftOut } : {});
  return commitChosen(request, { root, gitDir }, { chosen, ...(leftOut ? { leftOut } : {}) });
}

interface Place {
  root: string;
  gitDir: string;
}

async function commitChosen(
  request: CommitRequest,
  { root, gitDir }: Place,
  { chosen, leftOut }: Chosen,
): Promise<Settled | "locked"> {
  const { cwd } = request;
  const before = await beforeCommit(root, gitDir);
  const tried = await stage(cwd, chosen);
  if ("retry" in tried) return failure(tried.retry);
  const { error, refused } = tried;
  if (error !== null && refused.length === chosen.length) return failure(error);
  const unstaged = refused.length > 0 ? { unstaged: namedFiles(refused.map(({ path }) => path)) } : {};
  const more = leftOut || refused.length > 0 ? { leftOut: { ...leftOut, ...unstaged } } : {};
  const staged = await stagedOf(
    cwd,
    chosen.filter((entry) => !refused.includes(entry)),
  );
  if (staged.length === 0) return nothingToCommit(request, more);
  const settled = await commitStaged(request, staged, more);
  if (settled === "locked" || settled.is !== "done") return settled;
  const added = await addedByHook(root, before, staged);
  if (added.length === 0) return settled;
  const isBack = await takeBack(root, gitDir, before, settled.detail);
  return { is: "failed", detail: hooked(added, isBack) };
}

/** Nothing is left to commit if another git process has just committed it. */
const nothingToCommit = async (request: CommitRequest, more: Pick<Settled, "leftOut">): Promise<Settled> =>
  (await findCommit(request)) ?? { is: "skipped", detail: "nothing changed", ...more };

function hooked(added: readonly string[], isBack: boolean): string {
  const files = firstNamed(added.map(printable), 5);
  const what = `a git hook added files to the commit that were left out of it (${files})`;
  if (!isBack) return `${what}, and the branch has moved on: git show --stat`;
  return `${what}, so it was taken back: let the hook add only the files that it changes, as lint-staged does`;
}

async function commitStaged(
  request: CommitRequest,
  staged: readonly StatusEntry[],
  more: Pick<Settled, "leftOut">,
): Promise<Settled | "locked"> {
  const { cwd, key } = request;
  const status = await statusText(cwd);
  const subject = await request.subject(() => changesOf(cwd, staged));
  if ((await statusText(cwd)) !== status) return (await findCommit(request)) ?? { is: "failed", detail: MEDDLED };
  // Only these paths: anything else that is staged stays staged.
  const message = ["-m", subject, "-m", effectTrailer(key), "--cleanup=whitespace"];
  const committed = await withPaths(staged, (paths) => git(cwd, "commit", "--quiet", ...message, "--only", ...paths));
  if (committed.code !== 0) return (await findCommit(request)) ?? failure(committed.stderr || committed.stdout);
  return { is: "done", detail: (await git(cwd, "rev-parse", "HEAD")).stdout.trim(), ...more };
}

const statusText = async (cwd: string): Promise<string> =>
  ((await statusOf(cwd, WORK_PATHS)) ?? []).map(({ line }) => line).join("\0");

/** Those of the paths whose index entry differs from the last commit. */
async function stagedOf(cwd: string, chosen: readonly StatusEntry[]): Promise<StatusEntry[]> {
  const staged = new Set<string>();
  const { add: take } = nulSplitter((path) => staged.add(path), "latin1");
  const args = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-relative"];
  await runProgram({ file: "git", args, cwd, env: NO_PROMPTS, take });
  return chosen.filter(({ bytes }) => staged.has(bytes));
}

/** A longer patch is truncated before the agent gets it. */
const MOST_SHOWN = 200;

async function changesOf(cwd: string, staged: readonly StatusEntry[]): Promise<StagedChanges> {
  const paths = staged.slice(0, MOST_SHOWN).map(({ path }) => `:(top,literal)${path}`);
  const [stat, patch] = await Promise.all([
    git(cwd, "diff", "--cached", "--stat=100", "--", ...paths),
    git(cwd, "diff", "--cached", "--no-color", "--no-ext-diff", "--", ...paths),
  ]);
  return { stat: stat.stdout, patch: patch.stdout };
}

function failure(message: string): Settled | "locked" {
  // A file that is gone by now is not in the next list.
  if (/\.lock': File exists|cannot lock ref|did not match any file/.test(message)) return "locked";
  if (/nothing (?:added )?to commit/.test(message)) return { is: "skipped", detail: "nothing changed" };
  return { is: "failed", detail: cut(message.trim(), 500) };
}
