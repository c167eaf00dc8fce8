import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { StateFolder } from "../../core/workspace.ts";
import { checkoutRoot, sharedFolder } from "./checkout.ts";
import { environment, homeFolder } from "./environment.ts";
import { folderName, type Identity, identityOf } from "./repository-id.ts";

/** The state folder of the repository that `cwd` is in, or of `cwd` itself outside a repository. Creates nothing. */
export function stateFolder(cwd: string, env: NodeJS.ProcessEnv = environment()): StateFolder {
  const home = stateHome(env);
  return folderAt(realPath(env.RALPH_STATE_DIR ? home : join(home, repositoryName(cwd, home))));
}

/** The state folder at a path. */
export function folderAt(root: string): StateFolder {
  return {
    root,
    database: join(root, "ralph.db"),
    pulses: join(root, "pulses"),
    leases: join(root, "leases"),
    rooms: join(root, "rooms"),
    worktrees: join(root, "worktrees"),
    logs: (loop) => join(root, "loops", loop),
    task: (id) => join(root, "tasks", id),
    run: (id) => join(root, "runs", id),
  };
}

function repositoryName(cwd: string, states: string): string {
  return repositoryIdentity(cwd, states)?.id ?? folderName(repositoryHome(realpathSync(cwd)));
}

/** The identity of the repository that `cwd` is in; null outside a repository. */
export function repositoryIdentity(cwd: string, states: string): Identity | null {
  const folder = realpathSync(cwd);
  const checkout = checkoutRoot(folder);
  const gitDir = checkout === null ? null : sharedFolder(checkout);
  if (gitDir === null || !existsSync(gitDir)) return null;
  return identityOf({ gitDir: realpathSync(gitDir), root: repositoryHome(folder), states });
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
