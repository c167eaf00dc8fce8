import { openWorkspace, type Workspace } from "../../adapters/store/workspace.ts";
import type { Cli } from "./context.ts";

type Work<T> = (workspace: Workspace) => Promise<T>;

/** Opens the journal of the folder that a command runs in, for as long as `work` takes. */
export async function inWorkspace<T>(cli: Cli, work: Work<T>, create = false): Promise<T> {
  const workspace = await openWorkspace(cli.cwd(), { create });
  try {
    return await work(workspace);
  } finally {
    workspace.store.close();
  }
}

/** The same, for commands that make the journal where there is none. */
export const inCreatedWorkspace = <T>(cli: Cli, work: Work<T>): Promise<T> => inWorkspace(cli, work, true);
