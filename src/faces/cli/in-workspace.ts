import { openWorkspace, type Workspace } from "../../adapters/store/workspace.ts";
import type { CliContext } from "./context.ts";

/** Opens the journal of the folder that a command runs in, for as long as `work` takes; makes it only with `create`. */
export async function inWorkspace<T>(
  cli: CliContext,
  work: (workspace: Workspace) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const workspace = await openWorkspace(cli.cwd(), { create });
  try {
    return await work(workspace);
  } finally {
    workspace.store.close();
  }
}
