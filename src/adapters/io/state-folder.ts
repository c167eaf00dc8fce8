import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { StateFolder } from "../../core/workspace.ts";
import { checkoutRoot } from "./checkout.ts";
import { environment, homeFolder } from "./environment.ts";

/** The state folder of the repository that `cwd` is in, or of `cwd` itself outside a repository. Creates nothing. */
export function stateFolder(cwd: string, env: NodeJS.ProcessEnv = environment()): StateFolder {
  const home = stateHome(env);
  const root = realPath(env.RALPH_STATE_DIR ? home : join(home, folderName(repositoryHome(realpathSync(cwd)))));
  return {
    root,
    database: join(root, "ralph.db"),
    leases: join(root, "leases"),
    rooms: join(root, "rooms"),
    worktrees: join(root, "worktrees"),
    logs: (loop) => join(root, "loops", loop),
    task: (id) => join(root, "tasks", id),
    run: (id) => join(root, "runs", id),
  };
}

/** The parent of all state folders, or RALPH_STATE_DIR, which then contains everything. */
export function stateHome(env: NodeJS.ProcessEnv = environment()): string {
  const home = env.XDG_STATE_HOME || join(homeFolder() || userInfo().homedir, ".local", "state");
  return resolve(env.RALPH_STATE_DIR || join(home, "ralph"));
}

/** The real path, which git and journals use, also of a folder that does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

/** A readable and unique name for a folder: its base name and a digest of its path. */
export function folderName(path: string): string {
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 12);
  return `${basename(path).replace(/[^A-Za-z0-9._-]/g, "_") || "root"}-${digest}`;
}

/** The main checkout's folder, also for a linked worktree. */
function repositoryHome(folder: string): string {
  const root = checkoutRoot(folder);
  if (root === null) return folder;
  const dotGit = join(root, ".git");
  return statSync(dotGit).isDirectory() ? root : worktreeHome(dotGit, root);
}

function worktreeHome(dotGit: string, folder: string): string {
  const gitDir = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
  const common = gitDir && join(resolve(folder, gitDir), "commondir");
  if (!common || !existsSync(common)) return folder;
  return dirname(resolve(dirname(common), readFileSync(common, "utf8").trim()));
}
