import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { differs, uncommittedFiles } from "../../adapters/git/committed.ts";
import { headOf } from "../../adapters/git/repository.ts";
import { addWorktree } from "../../adapters/git/worktree.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { shorten } from "../../core/excerpt.ts";
import type { CheckResult, Tamper } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { type CleanRoom, leavesOf, type Stage } from "../../core/proof/proof.ts";
import { readRecord, recordFolder } from "../tamper/record.ts";
import { restoreFrozen } from "../tamper/restore.ts";
import { tamperedIn, watchRoom } from "../tamper/tampering.ts";
import type { Judging } from "../verification-context.ts";
import { removeLeftovers, removeRoom, roomFolder } from "./room-folder.ts";
import { makeReady, pathsWithout } from "./room-ready.ts";

/** What came of the checks, and what is to be said about where they ran. */
export interface Placed {
  results: CheckResult[];
  /** Null: in the checkout, as it is. */
  commit: string | null;
  note: string;
  /** What decides completion and is not in the commit as it was. */
  tampered: readonly Tamper[];
}

interface PlaceRequest {
  judging: Judging;
  /** Names the judgement in the files it leaves. */
  label: string;
  kind: "check" | "baseline";
  /** Null before any work. */
  state: LoopState | null;
  /** What is to be run. */
  stages: readonly Stage[];
  run(judging: Judging): Promise<CheckResult[] | null>;
}

/** Runs checks where the proof wants them: in the checkout, or in a clean room. Null when stopped on the way. */
export async function inPlace(request: PlaceRequest): Promise<Placed | null> {
  const { judging, stages, run } = request;
  const { cleanRoom } = judging.spec.proof;
  const needsRoom = leavesOf(stages).some(({ method }) => method === "external" || method === "plugin");
  if (cleanRoom && needsRoom) return inCleanRoom(request, cleanRoom);
  const results = await run(judging);
  return results && { results, commit: null, note: "", tampered: [] };
}

/** A worktree of the commit, made ready and removed again, however it ends. */
async function inCleanRoom(request: PlaceRequest, cleanRoom: CleanRoom): Promise<Placed | null> {
  const { spec, workspace, loop } = request.judging;
  const { cwd } = spec;
  const commit = await headOf(cwd);
  if (!commit) return { results: [roomless("fail", "nothing is committed")], commit, note: "", tampered: [] };
  const rooms = roomFolder(workspace.folder, cwd);
  await removeLeftovers(workspace, rooms, { loop, cwd });
  const root = join(rooms, `${loop}-${randomBytes(4).toString("hex")}`);
  try {
    const problem = await addWorktree({ cwd, path: root, commit });
    const found = problem
      ? { results: [roomless("unknown", `no worktree could be made: ${problem}`)], tampered: [] }
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
  const { judging, run, state } = request;
  const checkout = realpathSync(checkoutRoot(judging.spec.cwd) ?? judging.spec.cwd);
  const below = relative(checkout, realpathSync(judging.spec.cwd));
  const cwd = join(room.root, below);
  if (!existsSync(cwd)) {
    return { results: [roomless("fail", `the folder ${below} is not in commit ${short(room.commit)}`)], tampered: [] };
  }
  const tampered = await committedTampering(cwd, room.commit, request);
  freeze(cwd, request);
  const setting = { ...judging.setting, cwd, env: { ...judging.setting.env, ...pathsWithout(checkout) } };
  const failed = await makeReady({
    ...room,
    cleanRoom,
    setting,
    what: "clean room",
    log: join(loopFolderOf(judging), `${request.label}-setup.log`),
    tell: (name, result) => judging.view.check(request.kind, name, result),
  });
  if (failed !== "ready") return failed && { results: [failed], tampered };
  // Again: the set-up runs what the agent made.
  freeze(cwd, request);
  const watch = state && watchRoom(cwd, { fingerprints: state.fingerprints, loopFolder: loopFolderOf(judging) });
  const results = await run({ ...judging, setting });
  return results && { results, tampered: [...tampered, ...(watch?.end() ?? [])] };
}

const loopFolderOf = ({ workspace, loop }: Judging): string => workspace.folder.logs(loop);

/** A commit can hold something else than the folder: what is as it was here need not be so there. */
async function committedTampering(cwd: string, commit: string, { judging, state }: PlaceRequest): Promise<Tamper[]> {
  const base = judging.spec.part?.base ?? state?.baseline?.head;
  if (!state || !base) return [];
  const loopFolder = loopFolderOf(judging);
  const tampered: Tamper[] = [];
  for (const { path, change } of tamperedIn(cwd, { fingerprints: state.fingerprints, loopFolder })) {
    // What was not committed when the loop began, or is not meant to be, is nobody's trick.
    if (await differs(cwd, [base, commit], path.split("#")[0] ?? "")) {
      tampered.push({ path, change: `${change}, in commit ${short(commit)}` });
    }
  }
  return tampered;
}

/** The frozen files as they were when the loop began: what the commit makes of them is told, and helps nobody. */
function freeze(cwd: string, { judging, state }: PlaceRequest): void {
  const loopFolder = loopFolderOf(judging);
  const folder = state && recordFolder(loopFolder, state.fingerprints);
  if (folder && readRecord(folder, state.fingerprints)) restoreFrozen(folder, cwd);
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

/** What the checks were run on, and what they could not see. */
async function noteOf(cwd: string, commit: string): Promise<string> {
  const files = await uncommittedFiles(cwd);
  const on = `checked on commit ${short(commit)}, without ignored files`;
  if (files.length === 0) return on;
  const named = files.slice(0, MOST_FILES).map((file) => shorten(file, 100));
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
  return `${on} and what is not committed: ${named.join(", ")}${more}`;
}
