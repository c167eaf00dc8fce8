import { rmSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../io/look.ts";
import type { ProgramRequest, ProgramRun } from "../io/program.ts";
import { ownGit } from "./own-git.ts";
import { type Lent, makeRepository, SHOWN } from "./own-repository.ts";
import { git } from "./repository.ts";

/** Git over the user's files with Ralph's own settings. */
export interface Scratch {
  git(args: readonly string[], more?: Pick<ProgramRequest, "take">): Promise<ProgramRun>;
  /** A file inside the scratch folder. */
  path(name: string): string;
  close(): void;
}

interface ScratchRequest {
  root: string;
  /** A temporary folder, removed by `close`. */
  folder: string;
  quit: AbortSignal;
}

/**
 * Opens a temporary repository that shares the objects of another and reads its files. The other's configuration,
 * attributes, hooks, replaced objects and index flags have no effect, and nothing is written to it. Its ignore rules
 * apply. Null if git cannot read it.
 */
export async function openScratch({ root, folder, quit }: ScratchRequest): Promise<Scratch | null> {
  const { objects, excludes, ignored, format } = await placesOf(root);
  if (objects === "") return null;
  makeRepository(folder, { objects, excludes: textAt(excludes), format, attributes: SHOWN });
  const settings = ["core.quotePath=false", ...(ignored ? [`core.excludesFile=${ignored}`] : [])];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const run = ownGit(folder, root);
  return {
    git: (args, more = {}) => run([...options, ...args], { quit, ...more }),
    path: (name) => join(folder, name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Borrowed extends Omit<Lent, "attributes"> {
  /** The text of the file that `core.excludesFile` names. */
  ignored: string;
}

/** Where a checkout's objects are, and what it ignores besides its .gitignore files; null if git cannot read it. */
export async function borrowedFrom(root: string): Promise<Borrowed | null> {
  const { objects, excludes, ignored, format } = await placesOf(root);
  return objects === "" ? null : { objects, format, excludes: textAt(excludes), ignored: textAt(ignored) };
}

async function placesOf(root: string) {
  const [objects, excludes, ignored, format] = await Promise.all([
    ask(root, "rev-parse", "--path-format=absolute", "--git-path", "objects"),
    ask(root, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude"),
    ask(root, "config", "--type=path", "--get", "core.excludesFile"),
    ask(root, "rev-parse", "--show-object-format"),
  ]);
  return { objects, excludes, ignored, format };
}

const ask = async (cwd: string, ...args: string[]): Promise<string> => {
  const { code, stdout } = await git(cwd, ...args);
  return code === 0 ? stdout.replace(/\n$/, "") : "";
};
