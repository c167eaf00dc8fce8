import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../io/look.ts";
import { type ProgramRequest, type ProgramRun, runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

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

/** These override the attributes of the checkout, so that no file is hidden from a diff or converted for it. */
const ATTRIBUTES = "* diff -ident !filter !working-tree-encoding\n";

/**
 * Opens a temporary repository that shares the objects of another and reads its files. The other's configuration,
 * attributes, hooks, replaced objects and index flags have no effect, and nothing is written to it. Its ignore rules
 * apply. Null if git cannot read it.
 */
export async function openScratch({ root, folder, quit }: ScratchRequest): Promise<Scratch | null> {
  const { objects, excludes, ignored, format } = await placesOf(root);
  if (objects === "") return null;
  makeRepository(folder, { objects, excludes: textAt(excludes), format, attributes: ATTRIBUTES });
  const settings = ["core.quotePath=false", ...(ignored ? [`core.excludesFile=${ignored}`] : [])];
  const options = settings.flatMap((setting) => ["-c", setting]);
  const run = ownGit(folder, root);
  return {
    git: (args, more = {}) => run([...options, ...args], { quit, ...more }),
    path: (name) => join(folder, name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type OwnOptions = Pick<ProgramRequest, "take" | "quit" | "stdin" | "env">;

/** Git in a repository made by `makeRepository`, over the files in `root`, without any other settings. */
export function ownGit(folder: string, root: string, index = join(folder, "index")) {
  const own = {
    ...NO_PROMPTS,
    ...OWN_SETTINGS,
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: join(folder, "objects"),
  };
  return (args: readonly string[], { env = {}, ...more }: OwnOptions = {}): Promise<ProgramRun> =>
    runProgram({ file: "git", args: ["--no-optional-locks", ...args], cwd: root, env: { ...own, ...env }, ...more });
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

/** Files are stored, compared and checked out byte for byte. */
export const EXACT = "* !diff -text -ident -filter !eol !working-tree-encoding\n";

interface Lent {
  objects: string;
  /** The text of its `info/exclude`. */
  excludes: string;
  format: string;
  attributes: string;
}

/** Written directly, because `git init` would apply the user's settings and templates. */
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
