import { type ChangedFile, compareTrees } from "../../adapters/git/compare-trees.ts";
import { ownGit, shownPlace } from "../../adapters/git/own-git.ts";
import { mendRepository } from "../../adapters/git/own-repository.ts";
import { type Deciding, decidingKind } from "../../core/test-files/file-role.ts";
import { type Comparison, snapshotLost } from "./comparison.ts";

/** A changed file, and whether it decides completion. */
export interface ShownFile extends ChangedFile {
  decides: Deciding | "protected" | null;
}

/** The changed files; with `tests`, only those that decide completion. */
export async function comparedFiles(comparison: Comparison, tests: boolean, quit?: AbortSignal): Promise<ShownFile[]> {
  const { folder, from, to, guarded, of, leftOut } = comparison;
  const git = ownGit(folder, folder);
  const compared = await compareTrees((args, more) => git(args, { ...more, ...(quit ? { quit } : {}) }), from, to);
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

/** Which of the files a diff shows. */
interface Shown {
  options: readonly string[];
  /** Whether only some of the changed files are shown. */
  some: boolean;
}

/** The `git diff` that shows the changes to a person, with their own pager and colours. */
export function diffProgram(comparison: Comparison, files: readonly ShownFile[], { options, some }: Shown) {
  const { folder } = comparison;
  const fault = mendRepository(folder);
  if (fault !== null) throw snapshotLost(Object.values(comparison.of).join(), fault);
  return {
    file: "git",
    cwd: folder,
    env: shownPlace(folder),
    args: diffArguments(comparison, files, { options, some }),
  };
}

function diffArguments({ from, to, leftOut }: Comparison, files: readonly ShownFile[], { options, some }: Shown) {
  const named = files.flatMap((file) => [...(file.from ? [file.from] : []), file.path]);
  const specs = fitting(some ? named : leftOut.map(({ path }) => path), some ? "" : "exclude,");
  return [
    ...["diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--submodule=short"],
    ...options,
    ...["--end-of-options", from, to, "--", ...(some ? [] : [":(top)"]), ...specs],
  ];
}

const MOST_BYTES = 1_000_000;
const PLAIN = ["--color=never", "--src-prefix=a/", "--dst-prefix=b/"];

/** The changes as a patch, as git writes it: what hides in a line may be the change. A long one ends with a whole line. */
export async function patchOf(
  comparison: Comparison,
  files: readonly ShownFile[],
  { some, quit }: Pick<Shown, "some"> & { quit?: AbortSignal | undefined },
): Promise<{ patch: string; truncated: boolean }> {
  if (files.length === 0) return { patch: "", truncated: false };
  const enough = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size - chunk.length < MOST_BYTES) chunks.push(chunk);
    else enough.abort();
  };
  const args = diffArguments(comparison, files, { options: PLAIN, some });
  const { code, stderr } = await ownGit(comparison.folder, comparison.folder)(args, {
    take,
    quit: anyOf(enough.signal, quit),
  });
  const truncated = size > MOST_BYTES;
  if (code !== 0 && !truncated) throw snapshotLost(Object.values(comparison.of).join(), stderr.trim() || "git failed");
  const kept = Buffer.concat(chunks).subarray(0, MOST_BYTES);
  const whole = truncated ? kept.subarray(0, kept.lastIndexOf(10)) : kept;
  return { patch: whole.toString("utf8"), truncated };
}

const anyOf = (first: AbortSignal, second?: AbortSignal): AbortSignal =>
  second ? AbortSignal.any([first, second]) : first;

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

export interface Place {
  file: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}
