import { join } from "node:path";
import { type ChangedFile, compareTrees } from "../../../adapters/git/compare-trees.ts";
import { ownGit } from "../../../adapters/git/scratch.ts";
import { findOnPath } from "../../../adapters/io/find-on-path.ts";
import { lineSplitter } from "../../../adapters/io/lines.ts";
import { runInForeground, runProgram } from "../../../adapters/io/program.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import { type Deciding, decidingKind } from "../../../core/test-files/file-role.ts";
import { type Comparison, snapshotLost } from "./comparison.ts";

/** A changed file, and whether it decides completion. */
export interface ShownFile extends ChangedFile {
  decides: Deciding | "protected" | null;
}

/** The changed files; with `tests`, only those that decide completion. */
export async function comparedFiles(comparison: Comparison, tests: boolean): Promise<ShownFile[]> {
  const { folder, from, to, guarded, of, leftOut } = comparison;
  const compared = await compareTrees(ownGit(folder, folder), from, to);
  if (compared.is === "failed") throw snapshotLost(Object.values(of).join(), compared.why);
  // A file without a snapshot on one side would look like a deleted one.
  const unseen = new Set(leftOut.map(({ path }) => path));
  const files = compared.files
    .filter(({ path }) => !unseen.has(path))
    .map((file) => ({ ...file, decides: partOf(file, guarded) }));
  return tests ? files.filter(({ decides }) => decides !== null) : files;
}

function partOf({ path, from = path }: ChangedFile, guarded: ReadonlySet<string>): ShownFile["decides"] {
  return decidingKind(path) ?? decidingKind(from) ?? (guarded.has(path) || guarded.has(from) ? "protected" : null);
}

export type Form = "patch" | "stat" | "names";

interface Showing {
  form: Form;
  /** Whether only some of the changed files are shown. */
  some: boolean;
  /** Where standard output goes: a terminal, a file or pipe that git can write to directly, or a stream. */
  to: "terminal" | "file" | "stream";
  noColour: boolean;
  /** Prints lines on a terminal without a pager. Control characters are already removed. */
  line(text: string): void;
  print(output: Buffer): void;
}

/** Shows the changes like `git diff`, with the user's own pager and colours. */
export async function showFiles(comparison: Comparison, files: readonly ShownFile[], how: Showing): Promise<boolean> {
  const { folder, from, to, leftOut } = comparison;
  const named = files.flatMap((file) => [...(file.from ? [file.from] : []), file.path]);
  const specs = fitting(how.some ? named : leftOut.map(({ path }) => path), how.some ? "" : "exclude,");
  const args = [
    ...["diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--submodule=short"],
    ...(how.noColour ? ["--color=never"] : []),
    ...FORMS[how.form],
    ...["--end-of-options", from, to, "--", ...(how.some ? [] : [":(top)"]), ...specs],
  ];
  const place = placeOf(folder);
  if (how.to === "stream") return (await runProgram({ ...place, args, take: how.print })).code === 0;
  if (how.to === "terminal" && !(await hasPager(place))) return printLines({ ...place, args }, how.line);
  return (await runInForeground({ ...place, args })) === 0;
}

/** The length of a command line is limited. */
const MOST_PATH_CHARS = 100_000;

function fitting(paths: readonly string[], magic: string): string[] {
  let left = MOST_PATH_CHARS;
  return paths
    .map((path) => `:(${magic}top,literal)${path}`)
    .filter((spec) => {
      left -= spec.length;
      return left > 0;
    });
}

const FORMS: Readonly<Record<Form, readonly string[]>> = { patch: [], stat: ["--stat"], names: ["--name-only"] };

/** Makes git use only Ralph's repository. The user's settings for pager and colours apply. */
const placeOf = (folder: string): Place => ({
  file: "git",
  cwd: folder,
  env: {
    GIT_DIR: folder,
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(folder, "index"),
    GIT_OBJECT_DIRECTORY: join(folder, "objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: "",
    GIT_EXTERNAL_DIFF: "",
    GIT_NO_REPLACE_OBJECTS: "1",
  },
});

interface Place {
  file: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

async function hasPager({ file, cwd, env }: Place): Promise<boolean> {
  const { code, stdout } = await runProgram({ file, args: ["var", "GIT_PAGER"], cwd, env });
  const pager = stdout.trim();
  if (code !== 0 || pager === "" || pager === "cat") return false;
  const [first = ""] = pager.split(/\s/);
  // Anything but a plain path is left to the shell.
  return !/^[\w./-]+$/.test(first) || findOnPath(first, cwd) !== null;
}

const MOST_LINE_BYTES = 1 << 20;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

async function printLines({ file, cwd, env, args }: Place & { args: readonly string[] }, line: Showing["line"]) {
  const lines = lineSplitter(MOST_LINE_BYTES, (bytes) => line(stripAnsi(bytes.toString("utf8")).replace(CONTROLS, "")));
  const plain = args.includes("--color=never") ? args : ["diff", "--color=never", ...args.slice(1)];
  const { code } = await runProgram({ file, args: plain, cwd, env, take: lines.add });
  lines.end();
  return code === 0;
}
