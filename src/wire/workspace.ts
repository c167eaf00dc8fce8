import { realpathSync } from "node:fs";
import type { LoopStore } from "../core/store.ts";
import { type StateFolder, stateFolder } from "../io/state-folder.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";

/** A repository as Ralph sees it: the folder people work in, and the journal beside it. */
export interface Workspace {
  cwd: string;
  folder: StateFolder;
  store: LoopStore;
}

/** Opens the journal of the repository that `cwd` is in. */
export async function openWorkspace(cwd: string): Promise<Workspace> {
  const folder = stateFolder(cwd);
  return { cwd: realpathSync(cwd), folder, store: await openSqliteStore(folder.database) };
}
