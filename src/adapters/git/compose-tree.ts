import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramRun } from "../io/program.ts";
import { requireZero } from "./checkout-changes.ts";
import { ownGit } from "./own-git.ts";
import { HISTORY } from "./snapshot-start.ts";
import { type TreeChange, treeChanges } from "./tree-changes.ts";

interface ComposeRequest {
  /** The repository of the loop's snapshots. */
  folder: string;
  start: string;
  /** The changes to apply to it. */
  changes: readonly TreeChange[];
  quit: AbortSignal;
}

type Composed = { is: "composed"; tree: string } | { is: "failed"; why: string };

/** The tree `start` with some changes and nothing else. */
export async function composeTree({ folder, start, changes, quit }: ComposeRequest): Promise<Composed> {
  const name = join(folder, `compose-${randomBytes(4).toString("hex")}`);
  const [index, list] = [`${name}.index`, `${name}.list`];
  const run = ownGit(folder, folder, index);
  try {
    await must(run(["read-tree", start], { quit }));
    // Deletions first: a file may have become a folder, or the other way round.
    const sorted = [...changes].sort((a, b) => Number(a.after !== null) - Number(b.after !== null));
    writeFileSync(list, sorted.map(indexLine).join(""), "latin1");
    await must(run(["update-index", "-z", "--index-info"], { quit, stdin: list }));
    const tree = (await must(run(["write-tree"], { quit }))).stdout.trim();
    return (await isExactly(run, { start, tree, changes })) ? { is: "composed", tree } : TORN;
  } catch (error) {
    return { is: "failed", why: error instanceof Error ? error.message : "git failed" };
  } finally {
    for (const path of [index, list, `${index}.lock`]) rmSync(path, { force: true });
  }
}

const TORN = { is: "failed", why: "a file is where a folder has to be" } as const;

const indexLine = ({ bytes, before, after }: TreeChange): string =>
  `${after ? `${after.mode} ${after.hash}` : `0 ${"0".repeat(before?.hash.length ?? 0)}`}\t${bytes}\0`;

/** Adding `a/b` to an index silently removes a file `a`. */
async function isExactly(
  run: ReturnType<typeof ownGit>,
  { start, tree, changes }: Pick<ComposeRequest, "start" | "changes"> & { tree: string },
): Promise<boolean> {
  const wanted = new Set(changes.map(({ bytes }) => bytes));
  const made = await treeChanges(run, start, tree);
  return made?.every(({ bytes }) => wanted.has(bytes)) ?? false;
}

/** Writes the files of a checked-out tree that differ from it again. Null, or why it failed. */
export async function restoreTree({
  folder,
  root,
  tree,
  quit,
}: Omit<CheckoutRequest, "parent">): Promise<string | null> {
  const index = join(folder, `restore-${randomBytes(4).toString("hex")}.index`);
  const run = ownGit(folder, root, index);
  try {
    await must(run(["read-tree", tree], { quit }));
    // An installer makes programs executable.
    const modes = ["-c", "core.fileMode=false"];
    // Exits with 1 if a file differs.
    await run([...modes, "update-index", "-q", "--refresh"], { quit });
    await must(run([...modes, "checkout-index", "--all", "--force", "-q"], { quit }));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "git failed";
  } finally {
    rmSync(index, { force: true });
  }
}

interface CheckoutRequest {
  /** The repository of the loop's snapshots, whose objects the new one borrows. */
  folder: string;
  /** An empty or missing folder. */
  root: string;
  tree: string;
  /** The commit that the work started from; null if there is none. */
  parent: string | null;
  quit: AbortSignal;
}

/**
 * Checks a tree out as the only commit of a repository of its own, byte for byte: no setting, filter or attribute of
 * the user's repository has an effect. Null, or why it failed.
 */
export async function checkOutTree({ folder, root, tree, parent, quit }: CheckoutRequest): Promise<string | null> {
  const own = join(root, ".git");
  mkdirSync(own, { recursive: true });
  for (const name of START_FILES) {
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(own, name), { recursive: true });
  }
  mkdirSync(join(own, "refs"));
  mkdirSync(join(own, "objects/info"), { recursive: true });
  const borrow = (more: string) => writeFileSync(join(own, "objects/info/alternates"), `${folder}/objects\n${more}`);
  borrow("");
  const run = ownGit(own, root);
  try {
    await must(run(["read-tree", "--reset", "-u", tree], { quit }));
    // Only now: the agent can replace the objects of the user's repository.
    if (existsSync(join(folder, HISTORY))) borrow(readFileSync(join(folder, HISTORY), "utf8"));
    const known = parent !== null && (await run(["cat-file", "-e", `${parent}^{commit}`])).code === 0;
    const parents = known ? ["-p", parent] : [];
    const made = await must(
      run(["commit-tree", tree, ...parents, "-m", "the claim, within its scope"], { quit, env: IDENTITY }),
    );
    writeFileSync(join(own, "HEAD"), `${made.stdout.trim()}\n`);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "git failed";
  }
}

/** What the repository of a room takes from that of the snapshots: its format, and what was there at the start. */
const START_FILES = ["config", "HEAD", "info", "packed-refs", "shallow"];

/** The same for the same tree: a check that prints the commit prints the same each time. */
const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Ralph"],
    [`GIT_${role}_EMAIL`, "ralph@localhost"],
    [`GIT_${role}_DATE`, "@0 +0000"],
  ]),
);

const must = async (running: Promise<ProgramRun>): Promise<ProgramRun> => requireZero(await running);
