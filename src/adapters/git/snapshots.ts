import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { checkoutRoot } from "../io/checkout.ts";
import { textAt } from "../io/look.ts";
import { BYTES, listChanged, must, sortChanged, storeChanged } from "./checkout-changes.ts";
import { leftOutOf, noteLeftOut } from "./left-out.ts";
import { ownGit } from "./own-git.ts";
import { EXACT, makeRepository } from "./own-repository.ts";
import { borrowedFrom } from "./scratch.ts";
import { makeStart, type Starting } from "./snapshot-start.ts";

/** Captures the files of a checkout as git trees. */
export interface Snapshots {
  /** The id of a tree of all files that are not ignored, byte for byte. Null if it fails or is slow; never throws. */
  capture(quit: AbortSignal): Promise<string | null>;
}

interface SnapshotsRequest {
  cwd: string;
  /** The repository that stores the snapshots; created if missing. */
  folder: string;
  /** Folders whose files are never part of a snapshot, such as Ralph's own state. */
  without: readonly string[];
  /** A capture that takes longer is aborted, and later captures are skipped. */
  limitMs?: number;
  /**
   * The snapshots decide what the agent has changed: the ignore rules of the first one stay in force, large files and
   * those of nested repositories are stored.
   */
  decisive?: boolean;
  /** Whether the objects of the user's repository, which the agent can replace or remove, are copied at the start. */
  copied?: boolean;
}

/** Larger files are recorded by name and size only. */
const MOST_FILE_BYTES = 20 << 20;
const LIMIT_MS = 20_000;
/** The limits of snapshots that decide: without them, there is no verdict. */
const DECISIVE = { fileBytes: 1 << 30, limitMs: 180_000 };

/**
 * Snapshots of the checkout that `cwd` is in, stored in a separate repository that shares the objects of the user's and
 * has its own index. Nothing is written to the user's repository, and its settings, filters, attributes and index flags
 * have no effect. Only one process may capture at a time.
 */
export function openSnapshots({ cwd, folder, without, decisive = false, ...limits }: SnapshotsRequest): Snapshots {
  const { limitMs = decisive ? DECISIVE.limitMs : LIMIT_MS, copied = false } = limits;
  const root = snapshotRoot(folder, cwd) ?? checkoutRoot(cwd);
  let isGivenUp = root === null;
  return {
    async capture(quit) {
      if (root === null || isGivenUp || quit.aborted) return null;
      const late = AbortSignal.timeout(limitMs);
      const stop = AbortSignal.any([quit, late]);
      const at: Starting = { root, folder, without, decisive, copied, run: ownGit(folder, root), quit: stop };
      try {
        return await take(at, cwd);
      } catch {
        // A loop does not depend on snapshots. A checkout that was too large this time would be so again.
        isGivenUp = late.aborted;
        return null;
      }
    },
  };
}

const LAST = "last-tree";
/** The file with the path from the loop's folder to the root of its checkout. */
const ROOT = "root";

async function take(at: Starting, cwd: string): Promise<string> {
  if (!existsSync(join(at.folder, LAST))) {
    await makeStart(at);
    writeFileSync(join(at.folder, ROOT), relative(cwd, at.root) || ".");
    writeFileSync(join(at.folder, LAST), "");
  }
  // Only one process captures at a time, so an existing lock was left by a killed one.
  rmSync(join(at.folder, "index.lock"), { force: true });
  const changed = await listChanged(at);
  const sorted = sortChanged(at.root, changed, at.decisive ? DECISIVE.fileBytes : MOST_FILE_BYTES);
  await storeChanged(at, sorted);
  const last = readFileSync(join(at.folder, LAST), "utf8");
  const isSame = last !== "" && sorted.kept.length + sorted.dropped.length === 0;
  const tree = isSame ? last : (await must(at, ["write-tree", "--missing-ok"])).stdout.trim();
  if (!isSame) writeFileSync(join(at.folder, LAST), tree);
  noteLeftOut(at.folder, tree, sorted.leftOut);
  return tree;
}

/**
 * The root of the checkout that the snapshots are of, which the agent could move by making a repository inside it; null
 * if no snapshot was taken.
 */
export function snapshotRoot(folder: string, cwd: string): string | null {
  const path = textAt(join(folder, ROOT));
  return path === "" ? null : resolve(cwd, path);
}

/** Whether the checkout equals the last snapshot; null if unknown. Read-only, safe while another process captures. */
export async function isAsCaptured(cwd: string, folder: string, quit: AbortSignal): Promise<boolean | null> {
  const root = checkoutRoot(cwd);
  if (root === null || !existsSync(join(folder, LAST))) return null;
  try {
    const at = { root, folder, run: ownGit(folder, root), quit };
    const known = new Set(leftOutOf(folder, readFileSync(join(folder, LAST), "utf8")).map(({ path }) => path));
    const changed = await listChanged(at, false);
    return changed.every((path) => known.has(Buffer.from(path, BYTES).toString("utf8")));
  } catch {
    return null;
  }
}

/** Creates a repository for comparing commits of the checkout. False if git cannot read the checkout. */
export async function makeComparing(root: string, folder: string): Promise<boolean> {
  const borrowed = await borrowedFrom(root);
  if (borrowed) makeRepository(folder, { ...borrowed, attributes: EXACT });
  return borrowed !== null;
}
