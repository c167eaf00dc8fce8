import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { relocateCheckouts } from "../adapters/io/checkouts.ts";
import { environment } from "../adapters/io/environment.ts";
import { jsonAt, namesIn, statAt } from "../adapters/io/look.ts";
import { folderName, idIn, isOwner, keepIdentity, ownerOf } from "../adapters/io/repository-id.ts";
import { folderAt, repositoryIdentity, stateHome } from "../adapters/io/state-folder.ts";
import { inWorkspace } from "../adapters/store/workspace.ts";
import { RalphError } from "../core/errors.ts";
import { withHolders } from "../engine/named.ts";
import { refuseAgents } from "./person.ts";

/** A state folder that a repository could be linked to. */
export interface LinkCandidate {
  id: string;
  /** Where its repository was last; null if unknown. */
  path: string | null;
  /** `here`: that of this repository; `used`: its repository still exists; `free`: it can be attached. */
  is: "here" | "used" | "free";
  updatedAtMs: number;
}

/** Every state folder with a journal, the last used first. */
export function linkCandidates(cwd: string): LinkCandidate[] {
  const { states, identity } = placeOf(cwd);
  const found = namesIn(states).flatMap((id): LinkCandidate[] => {
    const database = statAt(join(states, id, "ralph.db"));
    if (!database) return [];
    const owner = ownerOf(states, id);
    const isUsed = owner !== null && isOwner(owner, identity.gitDir);
    const is = id === identity.id ? "here" : isUsed ? "used" : "free";
    return [
      { id, path: owner?.root ?? firstCheckout(join(states, id)), is, updatedAtMs: Math.round(database.mtimeMs) },
    ];
  });
  return found.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
}

/** State folders of earlier versions name their checkouts only. */
function firstCheckout(stateRoot: string): string | null {
  const { checkouts } = Object(jsonAt(join(stateRoot, "checkouts.json")));
  const [first] = Object.values(Object(checkouts));
  return typeof first === "string" ? first : null;
}

/** What has changed: the id of the attached state folder, and the one that was used so far, if it has a journal. */
interface Relinked {
  id: string;
  path: string | null;
  before: string | null;
}

/** Attaches a state folder, by its id or by the former path of its repository, to the repository here. */
export async function relink(cwd: string, wanted: string): Promise<Relinked> {
  const { states, identity } = placeOf(cwd);
  refuseAgents({ folder: folderAt(join(states, identity.id)) }, "ralph relink");
  const found = candidateFor(linkCandidates(cwd), wanted, cwd);
  if (found.is === "here") return { id: found.id, path: found.path, before: null };
  if (found.is === "used") {
    throw new RalphError("state-used", `${found.id} belongs to the repository in ${found.path}, which still exists`, {
      hint: "a state folder belongs to one repository: remove or move the other one first",
    });
  }
  await refuseLive(cwd, join(states, found.id));
  await refuseLive(cwd, join(states, identity.id));
  const had = existsSync(folderAt(join(states, identity.id)).database);
  if (found.path !== null) relocateCheckouts(join(states, found.id), found.path, identity.root);
  keepIdentity({ ...identity, is: "moved", id: found.id }, states);
  if (idIn(identity.gitDir)?.id !== found.id) {
    throw new RalphError("relink-failed", `the id cannot be written into ${identity.gitDir}`, {
      hint: "make that folder writable, and try again",
    });
  }
  return { id: found.id, path: found.path, before: had ? identity.id : null };
}

function placeOf(cwd: string) {
  if (environment().RALPH_STATE_DIR) {
    throw new RalphError("relink-fixed", "RALPH_STATE_DIR sets the state folder, whatever the repository", {
      hint: "set it to the state folder you want, or unset it for `ralph relink`",
    });
  }
  const states = stateHome();
  const identity = repositoryIdentity(cwd, states);
  if (identity) return { states, identity };
  throw new RalphError("no-repository", "only a git repository can be linked to its history, and this is none", {
    hint: "run it in the repository; in other folders the state folder belongs to the path: move the folder back",
  });
}

function candidateFor(all: readonly LinkCandidate[], wanted: string, cwd: string): LinkCandidate {
  const path = resolve(cwd, wanted);
  const matches = [
    (one: LinkCandidate) => one.id === wanted || one.path === path || one.id === folderName(path),
    (one: LinkCandidate) => one.id.startsWith(wanted) || (one.path !== null && basename(one.path) === wanted),
  ];
  for (const match of matches) {
    const [found, another] = all.filter(match);
    if (found && !another) return found;
    if (another) {
      throw new RalphError("state-unclear", `several state folders match ${wanted}`, {
        hint: "`ralph relink` lists them: give the whole id",
      });
    }
  }
  throw new RalphError("state-unknown", `there is no state folder for ${wanted}`, {
    hint: "`ralph relink` lists the state folders on this machine, with the paths of their repositories",
  });
}

/** A loop that runs would continue to write into the journal of another repository. */
async function refuseLive(cwd: string, stateDir: string): Promise<void> {
  if (!existsSync(folderAt(stateDir).database)) return;
  await inWorkspace({ cwd, stateDir }, async (workspace) => {
    const active = await withHolders(workspace, await workspace.store.summaries({ active: true }));
    const live = active.find(({ held }) => held);
    if (!live) return;
    throw new RalphError("loop-live", `loop ${live.id} is running with the state folder ${basename(stateDir)}`, {
      hint: `wait for it, or \`ralph cancel ${live.id}\` in its repository`,
    });
  });
}
