import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { headOf } from "../../adapters/git/repository.ts";
import { differs, uncommittedFiles } from "../../adapters/git/tracked.ts";
import { addWorktree } from "../../adapters/git/worktree.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { firstNamed, shorten } from "../../core/excerpt.ts";
import type { CheckResult, Tamper } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { methodOf } from "../../core/proof/methods.ts";
import { type CleanRoom, leavesOf, type Stage } from "../../core/proof/proof.ts";
import { readRecord } from "../tamper/record.ts";
import { restoreFrozen } from "../tamper/restore.ts";
import { tamperedIn, watchRoom } from "../tamper/tampering.ts";
import { blobsOf, type VerificationContext } from "../verification-context.ts";
import { removeLeftovers, removeRoom, roomFolder } from "./room-folder.ts";
import { makeReady, pathsWithout } from "./room-ready.ts";

interface Placed {
  results: CheckResult[];
  /** Null if the checks ran in the checkout itself. */
  commit: string | null;
  note: string;
  /** Files that decide completion and differ in the commit. */
  tampered: readonly Tamper[];
}

interface PlaceRequest {
  context: VerificationContext;
  /** Part of the names of log files. */
  label: string;
  kind: "check" | "baseline";
  /** Null before any work. */
  state: LoopState | null;
  stages: readonly Stage[];
  run(context: VerificationContext): Promise<CheckResult[] | null>;
}

/** Runs checks where the proof requires it: in the checkout or in a clean room. Null if stopped. */
export async function inPlace(request: PlaceRequest): Promise<Placed | null> {
  const { context, stages, run } = request;
  const { cleanRoom } = context.spec.proof;
  const needsRoom = leavesOf(stages).some((leaf) => methodOf(leaf).inCleanRoom);
  if (cleanRoom && needsRoom) return inCleanRoom(request, cleanRoom);
  const results = await run(context);
  return results && { results, commit: null, note: "", tampered: [] };
}

/** Runs checks in a worktree of the commit, which is set up first and always removed. */
async function inCleanRoom(request: PlaceRequest, cleanRoom: CleanRoom): Promise<Placed | null> {
  const { spec, workspace, loop } = request.context;
  const { cwd } = spec;
  const commit = await headOf(cwd);
  if (!commit) return { results: [roomless("fail", "nothing is committed")], commit, note: "", tampered: [] };
  const rooms = roomFolder(workspace.folder, cwd);
  await removeLeftovers(workspace, rooms, { loop, cwd });
  const root = join(rooms, `${loop}-${randomBytes(4).toString("hex")}`);
  try {
    const problem = await addWorktree({ cwd, path: root, commit });
    const found = problem
      ? { results: [roomless("unknown", `no worktree could be created: ${problem}`)], tampered: [] }
      : await inWorktree(request, cleanRoom, { root, commit, rooms });
    return found && { ...found, commit, note: await noteOf(cwd, commit) };
  } finally {
    await removeRoom(cwd, root);
  }
}

interface Room {
  root: string;
  commit: string;
  rooms: string;
}

type Found = Pick<Placed, "results" | "tampered">;

async function inWorktree(request: PlaceRequest, cleanRoom: CleanRoom, room: Room): Promise<Found | null> {
  const { context, run, state } = request;
  const checkout = realpathSync(checkoutRoot(context.spec.cwd) ?? context.spec.cwd);
  const below = relative(checkout, realpathSync(context.spec.cwd));
  const cwd = join(room.root, below);
  if (!existsSync(cwd)) {
    return { results: [roomless("fail", `the folder ${below} is not in commit ${short(room.commit)}`)], tampered: [] };
  }
  const tampered = await committedTampering(cwd, room.commit, request);
  await freeze(cwd, request);
  const setting = { ...context.setting, cwd, env: { ...context.setting.env, ...pathsWithout(checkout) } };
  const failed = await makeReady({
    ...room,
    cleanRoom,
    setting,
    what: "clean room",
    log: blobsOf(context).write(`${request.label}-setup.log`),
    show: (name, result) => context.view.check(request.kind, name, result),
  });
  if (failed !== "ready") return failed && { results: [failed], tampered };
  // Again, because the setup runs the agent's code.
  await freeze(cwd, request);
  const watch = state && (await watchRoom(cwd, { fingerprints: state.fingerprints, blobs: blobsOf(context) }));
  const results = await run({ ...context, setting });
  return results && { results, tampered: [...tampered, ...((await watch?.end()) ?? [])] };
}

/** A commit can differ from the folder: a file that is unchanged here may be changed there. */
async function committedTampering(cwd: string, commit: string, { context, state }: PlaceRequest): Promise<Tamper[]> {
  const base = context.spec.part?.base ?? state?.baseline?.head;
  if (!state || !base) return [];
  const blobs = blobsOf(context);
  const tampered: Tamper[] = [];
  for (const { path, change } of await tamperedIn(cwd, { fingerprints: state.fingerprints, blobs })) {
    // A file that was not committed when the loop started, or is not meant to be, is not tampering.
    if (await differs(cwd, [base, commit], path.split("#")[0] ?? "")) {
      tampered.push({ path, change: `${change}, in commit ${short(commit)}` });
    }
  }
  return tampered;
}

/** Restores the frozen files to their state at the start: changes in the commit are reported and have no effect. */
async function freeze(cwd: string, { context, state }: PlaceRequest): Promise<void> {
  const known = state && (await readRecord(blobsOf(context), state.fingerprints));
  if (known) await restoreFrozen(known, cwd);
}

const roomless = (is: "fail" | "unknown", reason: string): CheckResult => ({
  name: "clean room",
  command: "git worktree add",
  is,
  code: null,
  reason,
  excerpt: "",
  log: null,
  ms: 0,
});

const short = (commit: string): string => commit.slice(0, 9);
const MOST_FILES = 10;

async function noteOf(cwd: string, commit: string): Promise<string> {
  const files = await uncommittedFiles(cwd);
  const on = `checked on commit ${short(commit)}, without ignored files`;
  if (files.length === 0) return on;
  const named = files.map((file) => shorten(file, 100));
  return `${on} and uncommitted changes: ${firstNamed(named, MOST_FILES)}`;
}
