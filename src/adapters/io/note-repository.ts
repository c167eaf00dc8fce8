import { join } from "node:path";
import { relocateCheckouts } from "./checkouts.ts";
import { environment, standardError } from "./environment.ts";
import { keepIdentity } from "./repository-id.ts";
import { repositoryIdentity, stateHome } from "./state-folder.ts";

/** Records where the repository of a folder is, and reports once that it was moved or copied. Its state folder exists. */
export function noteRepository(cwd: string): void {
  if (environment().RALPH_STATE_DIR) return;
  const states = stateHome();
  const identity = repositoryIdentity(cwd, states);
  if (identity === null || identity.is === "known") return;
  const { is, id, root, from } = identity;
  if (is === "moved" && from) relocateCheckouts(join(states, id), from.root, root);
  keepIdentity(identity, states);
  if (from) standardError().write(`! ${WORDS[is](from.root)}\n`);
}

const WORDS = {
  new: (from: string): string =>
    `another repository was in ${from}: this one starts without its loops and tasks (\`ralph relink\` shows how to attach them)`,
  moved: (from: string): string => `this repository was in ${from}: its loops and tasks have moved with it`,
  copied: (from: string): string =>
    `this repository is a copy of ${from}, which keeps its loops and tasks: the copy starts without any (\`ralph relink\` shows how to attach others)`,
};
