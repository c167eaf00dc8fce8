import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileError, makeFolder } from "../../../adapters/io/folder.ts";
import { entryAt, textAt } from "../../../adapters/io/look.ts";
import { ralphFolder } from "../../../adapters/io/ralph-folder.ts";
import { replaceFile } from "../../../adapters/io/replace-file.ts";
import { RalphError } from "../../../core/errors.ts";
import { SLASH_COMMAND } from "../../../core/init/slash-command.ts";
import { TASK_GUIDE } from "../../../core/init/task-guide.ts";
import { isThere } from "./init.ts";

const FILES: readonly { path: string; content: string }[] = [
  { path: ".claude/commands/specflow.tasks.md", content: SLASH_COMMAND },
  { path: ".ralph/tasks.md", content: TASK_GUIDE },
];

interface Found {
  path: string;
  content: string;
  state: "missing" | "same" | "changed";
}

/** Refuses before anything is written: a changed file is the user's work. */
export function refuseChanged(cwd: string, { force }: { force: boolean }): void {
  const changed = lookedUp(cwd).filter(({ state }) => state === "changed");
  if (!force && changed.length > 0) {
    throw new RalphError(
      "file-changed",
      `changed, or not written by Ralph: ${changed.map(({ path }) => path).join(", ")}`,
      {
        hint: "keep it, or replace it with `ralph init --claude --force`, which keeps the old one as .bak",
      },
    );
  }
  const kept = changed.map(({ path }) => `${path}.bak`).filter((path) => isThere(join(cwd, path)));
  if (kept.length === 0) return;
  throw new RalphError("file-kept", `${kept.join(", ")}: already exists and would be replaced`, {
    hint: "move it away, then `ralph init --claude --force` again",
  });
}

/** Installs the slash command and the guide for agents. Returns the files written; identical ones are skipped. */
export function writeClaude(cwd: string, { force }: { force: boolean }): string[] {
  refuseChanged(cwd, { force });
  ralphFolder(cwd);
  return lookedUp(cwd).flatMap(({ path, content, state }) => {
    if (state === "same") return [];
    const file = join(cwd, path);
    try {
      makeFolder(dirname(file));
      if (state === "changed") renameSync(file, `${file}.bak`);
      replaceFile(file, content);
    } catch (error) {
      throw fileError(error, file).with({ hint: WHERE });
    }
    return state === "changed" ? [path, `${path}.bak`] : [path];
  });
}

const WHERE =
  "ralph init --claude writes into .claude/ and .ralph/ of this folder: make them writable, then run it again";

const lookedUp = (cwd: string): Found[] =>
  FILES.map(({ path, content }) => {
    const file = join(cwd, path);
    const entry = entryAt(file);
    if (!entry) return { path, content, state: "missing" };
    return { path, content, state: entry.isFile() && textAt(file) === content ? "same" : "changed" };
  });
