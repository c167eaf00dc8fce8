import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { commitTree } from "./commit-tree.ts";
import type { HardenedGit } from "./hardened-git.ts";
import { asideRefs, gitErrorText, swapRef } from "./task-refs.ts";

export interface Checkout {
  run: HardenedGit;
  path: string;
  gitDir: string;
  task: string;
}

interface Over {
  commit: string;
  /** The commit that is checked out now. */
  head: string;
  /** Whether no ref would keep `head` reachable. */
  stray?: boolean;
}

type Aside = { is: "none" } | { is: "kept"; ref: string } | { is: "failed"; why: string };

/**
 * Saves what would be lost when `commit` is checked out: staged and unstaged changes of tracked files, and untracked or
 * ignored files in the way. They become a commit below `refs/ralph/aside/`; the checkout itself does not change.
 * Repeating the call returns the same commit and ref.
 */
export async function setAside(checkout: Checkout, over: Over): Promise<Aside> {
  const index = join(checkout.gitDir, "ralph-index");
  const list = join(checkout.gitDir, "ralph-paths");
  const clear = () => {
    for (const file of [index, `${index}.lock`, list]) rmSync(file, { force: true });
  };
  clear();
  try {
    const staged = await takeIndex(checkout, index);
    const inTheWay = await obstacles(checkout, over.commit, index);
    const nested = inTheWay.find((path) => existsSync(join(checkout.path, path, ".git")));
    if (nested !== undefined)
      return { is: "failed", why: `a repository is in the way: ${join(checkout.path, nested)}` };
    writeFileSync(list, inTheWay.join("\0"));
    const tree = await treeOf(checkout, { index, list: inTheWay.length > 0 ? list : null, over });
    return "why" in tree ? { is: "failed", ...tree } : await keep(checkout, { ...tree, staged, stray: false, ...over });
  } finally {
    clear();
  }
}

const hasIndex = ({ gitDir }: Checkout): boolean => existsSync(join(gitDir, "index"));

/** Copies the checkout's index and returns its tree; null if there is no index or it has conflicts. */
async function takeIndex(checkout: Checkout, index: string): Promise<string | null> {
  const env = { GIT_INDEX_FILE: index };
  if (hasIndex(checkout)) copyFileSync(join(checkout.gitDir, "index"), index);
  else await checkout.run(["read-tree", "--empty"], { env });
  const { code, stdout } = await checkout.run(["write-tree"], { env });
  return code === 0 && hasIndex(checkout) ? stdout.trim() : null;
}

interface Sources {
  index: string;
  /** A file that lists additional paths. */
  list: string | null;
  over: Over;
}

/** The tree of a checkout's files. If nothing was ever checked out, missing files do not count as deleted. */
async function treeOf(checkout: Checkout, { index, list, over }: Sources): Promise<{ tree: string } | { why: string }> {
  const steps = [
    hasIndex(checkout) ? ["add", "--update", "--", "."] : ["read-tree", over.commit],
    ...(list === null ? [] : [["add", "--force", `--pathspec-from-file=${list}`, "--pathspec-file-nul"]]),
    ["write-tree"],
  ];
  let tree = "";
  for (const args of steps) {
    const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "1" };
    const { code, stdout, stderr } = await checkout.run(args, { env });
    if (code !== 0) return { why: gitErrorText(stderr) };
    tree = stdout.trim();
  }
  return { tree };
}

/** Existing files at paths that the commit has and the index does not. */
async function obstacles({ run, path }: Checkout, commit: string, index: string): Promise<string[]> {
  const found = new Set<string>();
  const folders = new Map<string, string | null>();
  const entries = nulSplitter((name) => {
    const obstacle = entryAt(join(path, name)) ? name : blocked(path, dirname(name), folders);
    if (obstacle !== null) found.add(obstacle);
  });
  const how = ["--cached", "--name-only", "--no-renames", "--diff-filter=D", "-z"];
  await run(["diff-index", ...how, commit, "--"], { take: entries.add, env: { GIT_INDEX_FILE: index } });
  return [...found];
}

/** The file at the path of a needed folder; null if there is none. */
function blocked(root: string, folder: string, known: Map<string, string | null>): string | null {
  if (folder === ".") return null;
  const answer = known.get(folder);
  if (answer !== undefined) return answer;
  const entry = entryAt(join(root, folder));
  const found = entry ? (entry.isDirectory() ? null : folder) : blocked(root, dirname(folder), known);
  known.set(folder, found);
  return found;
}

interface Found extends Required<Over> {
  tree: string;
  staged: string | null;
}

async function keep({ run, task }: Checkout, { tree, staged, commit, head, stray }: Found): Promise<Aside> {
  // Committed files are not lost: an interrupted checkout has the files of one commit or the other.
  const known = [commit, head, `${head}^1`];
  const more = staged !== null && staged !== tree && !(await isOneOf(run, staged, known)) ? staged : null;
  if (!stray && more === null && (await isOneOf(run, tree, known))) return { is: "none" };
  const parents = [head];
  if (more !== null) {
    const made = await commitTree(run, { tree: more, parents, paragraphs: [`Staged in the worktree of ${task}`] });
    if (made.is === "failed") return made;
    parents.push(made.commit);
  }
  const made = await commitTree(run, { tree, parents, paragraphs: [`Left in the worktree of ${task}`] });
  return made.is === "failed" ? made : await nameIt(run, task, made.commit);
}

/** Submodules are not touched, so they do not count as a difference. */
async function isOneOf(run: HardenedGit, tree: string, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) {
    const { code } = await run(["diff-tree", "--quiet", "--ignore-submodules=all", `${commit}^{tree}`, tree]);
    if (code === 0) return true;
  }
  return false;
}

const TRIES = 20;

async function nameIt(run: HardenedGit, task: string, commit: string): Promise<Aside> {
  let why = "";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const refs = await listAside(run, task);
    const same = refs.find((entry) => entry.commit === commit);
    if (same) return { is: "kept", ref: same.ref };
    const last = Math.max(0, ...refs.map(({ ref }) => Number(ref.slice(ref.lastIndexOf("/") + 1)) || 0));
    const ref = `${asideRefs(task)}/${last + 1}`;
    const failed = await swapRef(run, ref, { to: commit, from: "", why: "ralph: set aside" });
    if (failed === null) return { is: "kept", ref };
    why = failed;
  }
  return { is: "failed", why };
}

async function listAside(run: HardenedGit, task: string) {
  const { stdout } = await run(["for-each-ref", "--format=%(objectname) %(refname)", `${asideRefs(task)}/`]);
  return stdout.split("\n").flatMap((line) => {
    const [commit = "", ref = ""] = line.split(" ");
    return ref === "" ? [] : [{ ref, commit }];
  });
}
