import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shorten } from "../../core/excerpt.ts";
import type { Changes, FileChange } from "../../core/judge/changes.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { type AddedLine, patchReader } from "./patch.ts";
import { git } from "./repository.ts";
import { openScratch, type Scratch } from "./scratch.ts";

interface ChangesRequest {
  cwd: string;
  /** The commit to compare with; empty to compare with an empty tree. */
  base: string;
  /** A temporary folder, created and removed by this call. */
  scratch: string;
  quit: AbortSignal;
  fileChars: number;
  added?: AddedLine;
}

/** Larger files are listed, not read. The limit is higher for searches, so that text is harder to hide. */
const MOST_BYTES = { shown: 4 << 20, searched: 15 << 20 };
const MOST_NEW_FILES = 5_000;
const MOST_LEFT_OUT = 200;
const KEPT_FILES = 400;

const DIFF = [
  "diff",
  ...["--no-ext-diff", "--no-textconv", "--text", "--no-color", "--no-renames", "--submodule=short"],
  ...["--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/"],
];
/** Settings and Ralph's own files are not part of the work. Code in .ralph/ may be. */
const NOT_WORK = ["json", "jsonl", "yaml", "yml", "md", "log", "gitignore"].map(
  (ending) => `:(exclude,top,glob)**/.ralph/**/*.${ending}`,
);

/** Everything that differs from a commit, new files included. Nothing in the repository can hide it or is written. */
export async function changesSince(request: ChangesRequest): Promise<Changes> {
  const root = checkoutRoot(request.cwd);
  if (root === null) return { is: "failed", why: "not a git repository" };
  const scratch = await openScratch({ root, folder: request.scratch, quit: request.quit });
  if (!scratch) return { is: "failed", why: "git cannot read this repository" };
  try {
    return await readChanges(root, scratch, request);
  } finally {
    scratch.close();
  }
}

async function readChanges(root: string, scratch: Scratch, request: ChangesRequest): Promise<Changes> {
  const { base, fileChars, added } = request;
  const start = await scratch.git(["read-tree", ...(base ? [base] : ["--empty"])]);
  if (start.code !== 0) return failed(start.stderr, `the commit ${base} cannot be read`);
  const tree = base || (await scratch.git(["hash-object", "-t", "tree", "/dev/null"])).stdout.trim();
  const fresh = await newFiles(root, scratch, tree);
  const most = added ? MOST_BYTES.searched : MOST_BYTES.shown;
  const large = fresh.paths.filter(({ bytes }) => bytes > most);
  const small = fresh.paths.filter(({ bytes }) => bytes <= most);
  await intendToAdd(scratch, small);
  // Refreshing the index first means that unchanged files are read only once.
  await scratch.git(["update-index", "-q", "--refresh"]);
  const grown = await largeChanged(root, scratch, { tree, most });
  const reader = patchReader({ fileChars, keptFiles: KEPT_FILES, ...(added ? { added } : {}) });
  const leftOut = grown.map(({ path }) => `:(exclude,top,literal)${path}`);
  const args = [...DIFF, tree, "--", ":(top)", ...NOT_WORK, ...leftOut];
  const { code, stderr } = await scratch.git(args, { take: reader.add });
  if (code !== 0) return failed(stderr, "git diff failed");
  const files = [
    ...reader.finish(),
    ...[...large, ...grown].map(({ path, bytes }) => unread(path, `${bytes} bytes, too large to inspect`)),
    ...fresh.nested.map((path) => unread(path, "a separate repository, not inspected")),
  ];
  return { is: "seen", files, unseen: fresh.unseen };
}

const failed = (said: string, otherwise: string): Changes => ({ is: "failed", why: shorten(said, 300) || otherwise });

interface Sized {
  path: string;
  bytes: number;
}

const unread = (path: string, note: string): FileChange => ({
  path,
  added: 0,
  removed: 0,
  patch: null,
  note,
  unread: true,
});

/** Files that the commit does not have: untracked files and files added since, even if they are ignored. */
async function newFiles(root: string, scratch: Scratch, tree: string) {
  const found = new Set<string>();
  let unseen = 0;
  const note = (path: string) => {
    if (path === "" || found.has(path)) return;
    if (found.size < MOST_NEW_FILES) found.add(path);
    else unseen++;
  };
  const listing = nulSplitter(note);
  const others = ["ls-files", "-z", "--others", "--exclude-standard", "--", ":(top)", ...NOT_WORK];
  await scratch.git(others, { take: listing.add });
  const staged = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=A", tree];
  const inIndex = await git(root, "--no-optional-locks", "-c", "core.fsmonitor=false", ...staged);
  for (const path of inIndex.code === 0 ? inIndex.stdout.split("\0") : []) note(path);
  // Git lists a nested repository with a trailing slash.
  const nested = [...found].filter((path) => path.endsWith("/"));
  return { paths: [...found].flatMap((path) => sized(root, path)), nested, unseen };
}

function sized(root: string, path: string): Sized[] {
  const stats = entryAt(join(root, path));
  if (!stats || stats.isDirectory()) return [];
  return [{ path, bytes: stats.size }];
}

async function intendToAdd(scratch: Scratch, files: readonly Sized[]): Promise<void> {
  if (files.length === 0) return;
  const list = scratch.path("new-files");
  writeFileSync(list, files.map(({ path }) => `:(top,literal)${path}\0`).join(""));
  const from = [`--pathspec-from-file=${list}`, "--pathspec-file-nul"];
  await scratch.git(["add", "--intent-to-add", "--force", "--ignore-errors", ...from]);
}

async function largeChanged(
  root: string,
  scratch: Scratch,
  { tree, most }: { tree: string; most: number },
): Promise<Sized[]> {
  const found: Sized[] = [];
  const listing = nulSplitter((path) => {
    if (path === "" || found.length >= MOST_LEFT_OUT) return;
    found.push(...sized(root, path).filter(({ bytes }) => bytes > most));
  });
  await scratch.git([...DIFF, "--name-only", "-z", tree, "--", ":(top)", ...NOT_WORK], { take: listing.add });
  return found;
}
