import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { type ChangedFile, compareTrees } from "../../adapters/git/compare-trees.ts";
import { ownGit } from "../../adapters/git/scratch.ts";
import { snapshotFolder } from "../../adapters/git/snapshot-folder.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { nulSplitter } from "../../adapters/io/lines.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { subjectsOf } from "../../core/test-files/subjects.ts";
import { readRecord } from "../tamper/record.ts";
import { blobsOf, type VerificationContext } from "../verification-context.ts";

const NONE: ReadonlySet<string> = new Set();
const MOST_FILES = 200;
const MOST_BYTES = 256 << 10;
const LINE_CHARS = 12;

/**
 * The files of tests that were removed together with everything they import, relative to the loop's folder: an obsolete
 * feature and its tests. What they import must not live on in another file.
 */
export async function removedTests(context: VerificationContext, state: LoopState): Promise<ReadonlySet<string>> {
  const { spec, stops } = context;
  const known = await readRecord(blobsOf(context), state.fingerprints);
  const gone = Object.keys(known?.record.tests ?? {}).filter((path) => !existsSync(join(spec.cwd, path)));
  if (gone.length === 0 || gone.length > MOST_FILES || !spec.tracked) return NONE;
  const from = spec.part?.base ?? state.baseline?.snapshot;
  const to = await context.snapshots.capture(stops.soft);
  const trees = from && to ? await treesOf(context, from, to) : null;
  if (!trees) return NONE;
  const root = checkoutRoot(spec.cwd) ?? spec.cwd;
  const prefix = relative(realpathSync(root), realpathSync(spec.cwd));
  const removed: string[] = [];
  for (const path of gone) if (await isObsolete(join(prefix, path), root, trees)) removed.push(path);
  return new Set(removed);
}

interface Trees {
  /** The paths at the start. */
  paths: ReadonlySet<string>;
  changed: readonly ChangedFile[];
  /** The text of a file at the start; null if it cannot be read. */
  textOf(path: string): Promise<string | null>;
}

async function treesOf(
  { workspace, loop, stops }: VerificationContext,
  from: string,
  to: string,
): Promise<Trees | null> {
  const folder = snapshotFolder(workspace.folder, loop);
  if (!existsSync(folder)) return null;
  const run = ownGit(folder, folder);
  const quit = stops.soft;
  const paths = new Set<string>();
  const { add: take } = nulSplitter((path) => paths.add(path));
  const listed = await run(["ls-tree", "-r", "-z", "--name-only", from], { take, quit });
  const compared = await compareTrees((args, more) => run(args, { quit, ...more }), from, to);
  if (listed.code !== 0 || compared.is === "failed") return null;
  return {
    paths,
    changed: compared.files,
    async textOf(path) {
      const { code, stdout } = await run(["cat-file", "blob", `${from}:${path}`], { quit });
      return code === 0 ? stdout : null;
    },
  };
}

async function isObsolete(path: string, root: string, trees: Trees): Promise<boolean> {
  const source = await trees.textOf(path);
  if (source === null) return false;
  const subjects = (subjectsOf(path, source, (file) => trees.paths.has(file)) ?? []).map((subject) => subject.path);
  if (subjects.length === 0 || subjects.some((file) => existsSync(join(root, file)))) return false;
  for (const subject of subjects) {
    if (trees.changed.some(({ from }) => from === subject)) return false;
    const lines = linesOf((await trees.textOf(subject)) ?? "");
    if (lines.length === 0 || livesOn(lines, root, trees.changed)) return false;
  }
  return true;
}

/** Whether most of its lines are now in a file that was added or changed. */
function livesOn(lines: readonly string[], root: string, changed: readonly ChangedFile[]): boolean {
  const candidates = changed.filter(({ change }) => change !== "deleted").slice(0, MOST_FILES);
  return candidates.some(({ path }) => {
    const now = new Set(linesOf(textAt(join(root, path))));
    return lines.filter((line) => now.has(line)).length * 2 > lines.length;
  });
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_CHARS);

function textAt(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
