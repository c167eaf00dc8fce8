import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import type { CheckResult, Tamper } from "../../core/loop/events.ts";
import { plainResult } from "../../core/loop/results.ts";
import { methodOf } from "../../core/proof/methods.ts";
import { type CleanRoom, leavesOf } from "../../core/proof/proof.ts";
import { watchFiles } from "../place.ts";
import { readRecord } from "../tamper/record.ts";
import { restoreFrozen } from "../tamper/restore.ts";
import { watchRoom } from "../tamper/tampering.ts";
import { blobsOf, type VerificationContext } from "../verification-context.ts";
import { commitRoom } from "./commit-room.ts";
import { oracleRoom } from "./oracle-room.ts";
import type { PlaceRequest, RoomContent } from "./room.ts";
import { removeLeftovers, removeRoom, roomFolder } from "./room-folder.ts";
import { makeReady, pathsMoved, variablesIn } from "./room-ready.ts";

interface Placed {
  results: CheckResult[];
  /** Null if the checks did not run on a commit. */
  commit: string | null;
  /** Files that changed while the checks ran; null if that is unknown. */
  changed: readonly string[] | null;
  note: string;
  /** Files that decide completion and differ in the commit. */
  tampered: readonly Tamper[];
}

/** Runs checks where the proof requires it: in the checkout or in a clean room. Null if stopped. */
export async function inPlace(request: PlaceRequest): Promise<Placed | null> {
  const { context, stages } = request;
  const { cleanRoom } = context.spec.proof;
  const needsRoom = leavesOf(stages).some((leaf) => methodOf(leaf).inCleanRoom);
  if (cleanRoom && needsRoom) return inCleanRoom(request, cleanRoom);
  const ran = await runWatched(request, context);
  return ran && { ...NO_ROOM, ...ran };
}

const NO_ROOM = { commit: null, changed: null, note: "", tampered: [] };

async function runWatched(
  { run, watch }: PlaceRequest,
  context: VerificationContext,
): Promise<Pick<Placed, "results" | "changed"> | null> {
  const changes = watch ? await watchFiles(context, context.setting.cwd) : null;
  const results = await run(context);
  return results && { results, changed: changes && (await changes()) };
}

/** Runs checks in a fresh checkout, which is set up first and always removed. */
export async function inCleanRoom(request: PlaceRequest, cleanRoom: CleanRoom): Promise<Placed | null> {
  const { spec, workspace, loop } = request.context;
  const { cwd } = spec;
  const isOracle = cleanRoom.mode === "oracle";
  const content = isOracle ? oracleRoom(request) : await commitRoom(request);
  if (typeof content === "string") return { results: [roomless(isOracle ? "unknown" : "fail", content)], ...NO_ROOM };
  const rooms = roomFolder(workspace.folder, cwd);
  await removeLeftovers(workspace, rooms, { loop, cwd });
  const root = join(rooms, `${loop}-${randomBytes(4).toString("hex")}`);
  try {
    const problem = await content.fill(root);
    const found = problem
      ? { results: [roomless("unknown", `no clean room could be created: ${problem}`)], tampered: [], changed: null }
      : await inRoom(request, cleanRoom, { root, content, rooms });
    return found && { ...found, commit: content.commit, note: await content.note() };
  } finally {
    await removeRoom(cwd, root);
  }
}

interface Room {
  root: string;
  content: RoomContent;
  rooms: string;
}

type Found = Pick<Placed, "results" | "tampered" | "changed">;

async function inRoom(request: PlaceRequest, cleanRoom: CleanRoom, room: Room): Promise<Found | null> {
  const { context, state } = request;
  const checkout = realpathSync(checkoutRoot(context.spec.cwd) ?? context.spec.cwd);
  const below = relative(checkout, realpathSync(context.spec.cwd));
  const cwd = join(room.root, below);
  if (!existsSync(cwd)) {
    return { results: [roomless("fail", `the folder ${below} is not in ${room.content.name}`)], ...NO_ROOM };
  }
  const tampered = await room.content.tampered(cwd);
  await freeze(cwd, request);
  const inRoom = pathsMoved([checkout, checkoutRoot(context.spec.cwd) ?? checkout], room.root);
  const setting = {
    ...context.setting,
    cwd,
    inRoom,
    env: { ...context.setting.env, ...variablesIn(room.root, checkout) },
  };
  const failed = await makeReady({
    ...room,
    commit: "HEAD",
    cleanRoom,
    setting,
    what: "clean room",
    log: blobsOf(context).write(`${request.label}-setup.log`),
    show: (name, result) => context.view.check(request.kind, name, result),
  });
  if (failed !== "ready") return failed && { ...NO_ROOM, results: [failed], tampered };
  // The setup runs the agent's code.
  const problem = await room.content.restore(room.root);
  if (problem !== null) return { ...NO_ROOM, results: [roomless("unknown", problem)] };
  await freeze(cwd, request);
  const watch = state && (await watchRoom(cwd, { fingerprints: state.fingerprints, blobs: blobsOf(context) }));
  const ran = await runWatched(request, { ...context, setting });
  return ran && { ...ran, tampered: [...tampered, ...((await watch?.end()) ?? [])] };
}

/** Restores the frozen files to their state at the start: changes in the commit are reported and have no effect. */
async function freeze(cwd: string, { context, state }: PlaceRequest): Promise<void> {
  const known = state && (await readRecord(blobsOf(context), state.fingerprints));
  if (known) await restoreFrozen(known, cwd);
}

const roomless = (is: "fail" | "unknown", reason: string): CheckResult =>
  plainResult({ name: "clean room", command: "git worktree add" }, { is, reason });
