import { existsSync } from "node:fs";
import { join } from "node:path";
import { cut } from "../../core/excerpt.ts";
import type { Settled } from "../../core/loop/events.ts";
import { IGNORED_PATTERNS, KEPT_PATTERNS } from "../../core/ralph-files.ts";
import type { ProgramRun } from "../io/program.ts";
import { git } from "./repository.ts";

interface CommitRequest {
  cwd: string;
  /** The first line of the message. Called only if there is something to commit; must not change any file. */
  subject(changes: () => Promise<StagedChanges>): Promise<string>;
  /** Unique per effect of a loop. Recorded in the commit, so that a resumed loop can find it. */
  key: string;
  before: string;
}

export interface StagedChanges {
  stat: string;
  patch: string;
}

/** The trailer of a commit message that identifies the effect. */
export const effectTrailer = (key: string): string => `${TRAILER}: ${key}`;

const TRAILER = "Ralph-Effect";
/** Run files, receipts and personal settings are left out, whether or not .gitignore lists them. */
const PATHS = [
  ".",
  ...[...IGNORED_PATTERNS, ...KEPT_PATTERNS, "*.local.json", ".gitignore"].map(
    (pattern) => `:(exclude,glob)**/.ralph/${pattern}`,
  ),
];
/** Adding a file with conflicts would mark them as resolved. */
const CONFLICTS = "a merge left unresolved conflicts; nothing was staged or committed";
const TRIES = 40;
const RETRY_MS = 250;

/** Commits every change below `cwd` once per key. Waits for a lock: a git process may outlive its driver. */
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
  const { cwd, key } = request;
  const unmerged = await git(cwd, "ls-files", "--unmerged");
  if (unmerged.stdout !== "") return { is: "failed", detail: CONFLICTS };
  const added = await git(cwd, "add", "--all", "--", ...PATHS);
  if (added.code !== 0) return failure(added.stderr);
  const staged = await git(cwd, "diff", "--cached", "--quiet", "--", ...PATHS);
  // Nothing is left to commit if another git process has just committed it.
  if (staged.code === 0) return (await findCommit(request)) ?? { is: "skipped", detail: "nothing changed" };
  const status = await statusOf(cwd);
  const subject = await request.subject(() => changesOf(cwd));
  if ((await statusOf(cwd)) !== status) return { is: "failed", detail: MEDDLED };
  // Only paths below `cwd`: anything else the user has staged stays staged.
  const message = ["-m", subject, "-m", effectTrailer(key), "--cleanup=whitespace"];
  const committed = await commitHere(cwd, message);
  if (committed.code !== 0) return (await findCommit(request)) ?? failure(committed.stderr || committed.stdout);
  return { is: "done", detail: (await git(cwd, "rev-parse", "HEAD")).stdout.trim() };
}

/** `git commit` fails on a submodule that was never checked out unless it is excluded, although `git add` accepts it. */
async function commitHere(cwd: string, message: readonly string[]): Promise<ProgramRun> {
  const commit = (...without: string[]) => git(cwd, "commit", "--quiet", ...message, "--", ...PATHS, ...without);
  const committed = await commit();
  if (committed.code === 0 || !/does not have a commit checked out/.test(committed.stderr)) return committed;
  const { stdout } = await git(cwd, "ls-files", "--stage", "-z");
  const submodules = stdout.split("\0").filter((line) => line.startsWith("160000 "));
  const paths = submodules.map((line) => line.slice(line.indexOf("\t") + 1));
  const empty = paths.filter((path) => !existsSync(join(cwd, path, ".git")));
  return empty.length > 0 ? await commit(...empty.map((path) => `:(exclude,literal)${path}`)) : committed;
}

async function changesOf(cwd: string): Promise<StagedChanges> {
  const [stat, patch] = await Promise.all([
    git(cwd, "diff", "--cached", "--stat=100", "--", ...PATHS),
    git(cwd, "diff", "--cached", "--no-color", "--no-ext-diff", "--", ...PATHS),
  ]);
  return { stat: stat.stdout, patch: patch.stdout };
}

const statusOf = async (cwd: string): Promise<string> =>
  (await git(cwd, "status", "--porcelain", "--untracked-files=normal", "--", ...PATHS)).stdout;

function failure(message: string): Settled | "locked" {
  if (/\.lock': File exists|cannot lock ref/.test(message)) return "locked";
  if (/nothing (?:added )?to commit/.test(message)) return { is: "skipped", detail: "nothing changed" };
  return { is: "failed", detail: cut(message.trim(), 500) };
}
