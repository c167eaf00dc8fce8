import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type LoadedWorkflows, loadWorkflows } from "../workflow/file/files.ts";

const FOLDERS = [".ralph/workflows", ".ralph/commands", ".archon/workflows", ".archon/commands"];

/** The workflows of a folder, read again only when one of their files has changed. */
export function workflowCache(cwd: string): () => Promise<LoadedWorkflows> {
  let cached: { stamp: string; loaded: Promise<LoadedWorkflows> } | null = null;
  return async () => {
    const stamp = stampOf(cwd);
    if (cached?.stamp === stamp) return cached.loaded;
    const loaded = loadWorkflows(cwd);
    cached = { stamp, loaded };
    return loaded.catch((error: unknown) => {
      // The next message tries again.
      cached = null;
      throw error;
    });
  };
}

/** Differs as soon as a file is added, changed or removed. */
function stampOf(cwd: string): string {
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
    return []; // no such folder
  }
}
