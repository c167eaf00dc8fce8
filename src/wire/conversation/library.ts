import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../io/checkout.ts";
import { type LoadedWorkflows, loadWorkflows } from "../workflow/files.ts";

const FOLDERS = [".ralph/workflows", ".ralph/commands", ".archon/workflows", ".archon/commands"];

/** The workflows of a folder, read again only when one of their files has changed. */
export function openLibrary(cwd: string): () => Promise<LoadedWorkflows> {
  let kept: { mark: string; loaded: Promise<LoadedWorkflows> } | null = null;
  return () => {
    const mark = markOf(cwd);
    if (kept?.mark !== mark) kept = { mark, loaded: loadWorkflows(cwd) };
    return kept.loaded;
  };
}

/** What differs as soon as a file is added, changed or removed. */
function markOf(cwd: string): string {
  const roots = [...new Set([cwd, checkoutRoot(cwd) ?? cwd])];
  return roots
    .flatMap((root) => FOLDERS.flatMap((folder) => filesIn(join(root, folder))))
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
