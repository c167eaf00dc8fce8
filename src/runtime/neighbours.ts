import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { checkoutRoot } from "../adapters/io/checkout.ts";
import { environment } from "../adapters/io/environment.ts";
import { isInside } from "../adapters/io/inside.ts";
import { pause } from "../adapters/io/timer.ts";
import { RalphError } from "../core/errors.ts";
import { shorten } from "../core/excerpt.ts";
import type { Lease } from "../core/lease.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import type { Proof } from "../core/proof/proof.ts";
import { scopesOverlap } from "../core/proof/scope-overlap.ts";
import type { Workspace } from "../core/workspace.ts";
import { scopePatterns } from "../verify/scope.ts";
import { runAround } from "./person.ts";

/** What to do about live loops that may change the same files as a new one. */
export interface Neighbours {
  /** Whether to start all the same. */
  allow: boolean;
  /** Gets one sentence about each that does not prevent the start. */
  warn(words: string): void;
}

/** A loop that is about to start or to be resumed, or a run. */
interface Newcomer {
  id: string;
  spec: Placed;
}

interface Placed extends Pick<LoopSpec, "cwd"> {
  proof: Pick<Proof, "scope">;
}

/**
 * Starts a loop unless a live one may change the same files: the results of their checks would be of mixed work. Loops
 * start one at a time, so that of two that start together the second finds the first.
 */
export async function startBeside<T>(
  workspace: Workspace,
  { loop, neighbours }: { loop: Newcomer; neighbours: Neighbours | undefined },
  start: () => Promise<T>,
): Promise<T> {
  if (!neighbours) return start();
  const turn = await turnToStart(workspace);
  try {
    await checkNeighbours(workspace, loop, neighbours);
    return await start();
  } finally {
    turn?.release();
  }
}

/** Throws if a live loop may change the same files, unless that is allowed. */
export async function checkNeighbours(workspace: Workspace, loop: Newcomer, neighbours: Neighbours): Promise<void> {
  const found = await overlapping(workspace, loop);
  const [first] = found.filter(({ isIdle }) => !isIdle);
  if (first && !neighbours.allow) throw occupied(first, found.length - 1);
  for (const one of found) neighbours.warn(warning(one));
}

const WAIT_MS = 10_000;
const LOOK_MS = 20;

/** Null if another process does not finish its start, because it was suspended, for example. */
async function turnToStart({ leases }: Workspace): Promise<Lease | null> {
  for (const giveUpMs = Date.now() + WAIT_MS; ; await pause(LOOK_MS, new AbortController().signal)) {
    const lease = await leases.take("start");
    if (lease || Date.now() > giveUpMs) return lease;
  }
}

interface Neighbour {
  loop: LoopSummary;
  /** Whether the session that has it was silent for long: it may be closed, or wait for its user. */
  isIdle: boolean;
  /** Its folder, as seen from the newcomer's. */
  folder: string;
}

/** Loops that were never ended, because their process was killed, are among them. */
const LOOKED_AT = 500;
/** A turn of a host's agent may take this long without a sign of life. */
const IDLE_MS = 60 * 60_000;

async function overlapping(workspace: Workspace, { id, spec }: Newcomer): Promise<Neighbour[]> {
  const { store, leases } = workspace;
  const found: Neighbour[] = [];
  const place = placeOf(spec.cwd);
  for (const loop of await store.summaries({ active: true, limit: LOOKED_AT })) {
    if (loop.id === id || loop.run?.run === id || !isOnePlace(place, loop.cwd) || isAround(loop)) continue;
    const isHosted = loop.driver === "host";
    if (!isHosted && !(await leases.isTaken({ kind: "loop", id: loop.id }))) continue;
    const other = (await store.glance(loop.id)).state.spec;
    if (!other || !scopesOverlap(patternsOf(spec, place.root), patternsOf(other, place.root))) continue;
    const isIdle = isHosted && Date.now() - loop.updatedAtMs > IDLE_MS;
    found.push({ loop, isIdle, folder: relative(spec.cwd, loop.cwd) });
  }
  return found;
}

interface Place {
  root: string;
  isCheckout: boolean;
}

function placeOf(cwd: string): Place {
  const checkout = checkoutRoot(cwd);
  return { root: realPath(checkout ?? cwd), isCheckout: checkout !== null };
}

/** Whether a loop's folder has the same files: the same checkout, or without git, the same folder or one around it. */
function isOnePlace(here: Place, cwd: string): boolean {
  const there = placeOf(cwd);
  if (here.isCheckout || there.isCheckout) return here.root === there.root;
  return isInside(here.root, there.root) || isInside(there.root, here.root);
}

/** A loop whose agent or check, or whose workflow, runs this command: it waits for it. */
function isAround({ id, run }: LoopSummary): boolean {
  const around = runAround(environment());
  return around === id || (run !== null && around === `run-${run.run}`);
}

/** Without git, folders differ although files are shared: then every scope may overlap. */
function patternsOf({ cwd, proof }: Placed, root: string) {
  const folder = realPath(cwd);
  return isInside(folder, root) ? scopePatterns(proof.scope, { folder, root }) : [];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const TITLE_CHARS = 60;

function words({ loop, folder }: Neighbour): string {
  const where = folder === "" ? "in this folder" : `in this checkout (${folder})`;
  return `loop ${loop.id} works ${where}: "${shorten(loop.title, TITLE_CHARS)}"`;
}

const warning = (one: Neighbour): string =>
  `${words(one)}${one.isIdle ? "; its session has been idle for over an hour" : ""} (ralph status ${one.loop.id}, ralph cancel ${one.loop.id})`;

const occupied = (one: Neighbour, more: number): RalphError =>
  new RalphError("loop-beside", `${words(one)}${more > 0 ? `, and ${more} more` : ""}`, {
    hint: `two loops would change each other's files: wait for it or \`ralph cancel ${one.loop.id}\`; \`ralph run --worktree\` works in a worktree of its own, \`--force\` starts beside it`,
  });
