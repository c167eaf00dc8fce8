import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProgramRequest, type ProgramRun, runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/** Git over somebody's files with settings of our own. */
export interface Scratch {
  git(args: readonly string[], more?: Pick<ProgramRequest, "take">): Promise<ProgramRun>;
  /** A file inside the scratch folder. */
  path(name: string): string;
  close(): void;
}

interface ScratchRequest {
  /** The folder of the checkout. */
  root: string;
  /** A folder that may be made, and is gone afterwards. */
  folder: string;
  quit: AbortSignal;
}

/** Ours win over those of the checkout: nothing is kept out of a diff, and nothing is changed on the way into it. */
const ATTRIBUTES = "* diff -ident !filter !working-tree-encoding\n";

/**
 * A repository of our own that borrows the objects of another and looks at its files. Its configuration, attributes,
 * hooks, replaced objects and flags in the index do not count here, and nothing is written to it. What it ignores is
 * ignored. Null where git cannot read it.
 */
export async function openScratch({ root, folder, quit }: ScratchRequest): Promise<Scratch | null> {
  const { objects, excludes, ignored, format } = await placesOf(root);
  if (objects === "") return null;
  makeRepository(folder, { objects, excludes: textOf(excludes), format, attributes: ATTRIBUTES });
  const settings = ["core.quotePath=false", ...(ignored ? [`core.excludesFile=${ignored}`] : [])];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const run = ownGit(folder, root);
  return {
    git: (args, more = {}) => run([...options, ...args], { quit, ...more }),
    path: (name) => join(folder, name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Git in a repository that `makeRepository` made, over the files in `root`: nobody else's settings count. */
export function ownGit(folder: string, root: string) {
  const env = {
    ...NO_PROMPTS,
    ...OWN_SETTINGS,
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(folder, "index"),
    GIT_OBJECT_DIRECTORY: join(folder, "objects"),
  };
  return (args: readonly string[], more: Pick<ProgramRequest, "take" | "quit" | "stdin"> = {}): Promise<ProgramRun> =>
    runProgram({ file: "git", args: ["--no-optional-locks", ...args], cwd: root, env, ...more });
}

/** What a repository of ours takes from the user's. */
interface Borrowed extends Omit<Lent, "attributes"> {
  /** The text of the file that `core.excludesFile` names. */
  ignored: string;
}

/** Where the objects of a checkout are, and what it ignores besides its .gitignore files; null where git cannot tell. */
export async function borrowedFrom(root: string): Promise<Borrowed | null> {
  const { objects, excludes, ignored, format } = await placesOf(root);
  return objects === "" ? null : { objects, format, excludes: textOf(excludes), ignored: textOf(ignored) };
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

interface Lent {
  objects: string;
  /** The text of its `info/exclude`. */
  excludes: string;
  format: string;
  attributes: string;
}

/** Made by hand: `git init` would read the settings and templates of whoever runs it. */
export function makeRepository(folder: string, lent: Lent): void {
  rmSync(folder, { recursive: true, force: true });
  for (const place of ["refs", "info", "objects/info"]) mkdirSync(join(folder, place), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const format = lent.format === "sha256" ? "[extensions]\nobjectFormat = sha256\n" : "";
  write("config", `[core]\nrepositoryformatversion = ${format ? 1 : 0}\nbare = false\n${format}`);
  write("HEAD", "ref: refs/heads/none\n");
  write("objects/info/alternates", `${lent.objects}\n`);
  write("info/attributes", lent.attributes);
  write("info/exclude", lent.excludes);
}

const OWN_SETTINGS = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_COUNT: "0",
  GIT_CONFIG_PARAMETERS: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_EXTERNAL_DIFF: "",
  GIT_DIFF_OPTS: "",
};

const ask = async (cwd: string, ...args: string[]): Promise<string> => {
  const { code, stdout } = await git(cwd, ...args);
  return code === 0 ? stdout.replace(/\n$/, "") : "";
};

function textOf(path: string): string {
  try {
    return path ? readFileSync(path, "utf8") : "";
  } catch {
    return ""; // most repositories have none
  }
}
