import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LoadedWorkflows, loadWorkflows } from "../workflow/file/files.ts";

const FOLDERS = [".ralph/workflows", ".ralph/commands", ".archon/workflows", ".archon/commands"];

/** The workflows of a folder, read again only when one of their files has changed. */
export function openLibrary(cwd: string): () => Promise<LoadedWorkflows> {
  let kept: { mark: string; loaded: Promise<LoadedWorkflows> } | null = null;
  return async () => {
    const mark = markOf(cwd);
    if (kept?.mark === mark) return kept.loaded;
    const loaded = loadWorkflows(cwd);
    kept = { mark, loaded };
    return loaded.catch((error: unknown) => {
      // What could not be read may be readable next time.
      kept = null;
      throw error;
    });
  };
}

/** What differs as soon as a file is added, changed or removed. */
function markOf(cwd: string): string {
  return FOLDERS.flatMap((folder) => filesIn(join(cwd, folder)))
    .map((path) => {
      const file = statSync(path, { throwIfNoEntry: false });
      return file ? `${path} ${file.mtimeMs} ${file.ctimeMs} ${file.size} ${file.ino}` : path;
    })
    .join("\n");
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  } catch {
    return []; // it is not there
  }
}
