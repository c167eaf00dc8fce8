import { openWorkspace, type Workspace } from "../../adapters/store/workspace.ts";
import type { Cli } from "./context.ts";

type Work<T> = (workspace: Workspace) => Promise<T>;

/** Opens the journal of the current folder while `work` runs. */
export async function inWorkspace<T>(cli: Cli, work: Work<T>, create = false): Promise<T> {
  const workspace = await openWorkspace(cli.cwd(), { create });
  try {
    return await work(workspace);
  } finally {
    workspace.store.close();
  }
}

/** The same, but creates the journal if there is none. */
export const inCreatedWorkspace = <T>(cli: Cli, work: Work<T>): Promise<T> => inWorkspace(cli, work, true);
