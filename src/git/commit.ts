import { cut } from "../core/excerpt.ts";
import type { Settled } from "../core/loop/events.ts";
import { git } from "./repository.ts";

interface CommitRequest {
  cwd: string;
  subject: string;
  /** Unique per effect of a loop; the commit carries it, so that a resume can find it. */
  key: string;
  /** The commit the effect started from. */
  before: string;
}

const TRAILER = "Ralph-Effect";
const TRIES = 40;
const RETRY_MS = 250;

/**
 * Commits everything that changed below `cwd`, once per key, however often it is tried: a commit with the key is looked for before
 * each try. A git process of a driver that died may still be at work, so a lock is waited for.
 */
export async function commitOnce(request: CommitRequest): Promise<Settled> {
  for (let attempt = 1; ; attempt++) {
    const tried = (await findCommit(request)) ?? (await tryCommit(request));
    if (tried !== "locked") return tried;
    if (attempt >= TRIES) {
      return { is: "failed", detail: "git is locked: if no git process runs here, remove .git/index.lock" };
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function findCommit({ cwd, key, before }: CommitRequest): Promise<Settled | null> {
  const range = before ? `${before}..HEAD` : "HEAD";
  const line = `--grep=^${TRAILER}: ${key}$`;
  const { code, stdout } = await git(cwd, "log", "--max-count=1", "--format=%H", "--basic-regexp", line, range);
  return code === 0 && stdout ? { is: "done", detail: stdout.trim() } : null;
}

async function tryCommit(request: CommitRequest): Promise<Settled | "locked"> {
  const { cwd, subject, key } = request;
  const added = await git(cwd, "add", "--all", "--", ".");
  if (added.code !== 0) return failure(added.stderr);
  const staged = await git(cwd, "diff", "--cached", "--quiet", "--", ".");
  // Nothing is left to commit also when that other git has just done it.
  if (staged.code === 0) return (await findCommit(request)) ?? { is: "skipped", detail: "nothing changed" };
  // Only what lies here: whatever else a person has staged stays staged.
  const committed = await git(cwd, "commit", "--quiet", "-m", subject, "-m", `${TRAILER}: ${key}`, "--", ".");
  if (committed.code !== 0) return (await findCommit(request)) ?? failure(committed.stderr || committed.stdout);
  return { is: "done", detail: (await git(cwd, "rev-parse", "HEAD")).stdout.trim() };
}

function failure(message: string): Settled | "locked" {
  if (/\.lock': File exists|cannot lock ref/.test(message)) return "locked";
  if (/nothing (?:added )?to commit/.test(message)) return { is: "skipped", detail: "nothing changed" };
  return { is: "failed", detail: cut(message.trim(), 500) };
}
