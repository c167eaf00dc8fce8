import { chmodSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { committedFiles, treeOf } from "../../adapters/git/tracked.ts";
import { environment } from "../../adapters/io/environment.ts";
import { isInside } from "../../adapters/io/inside.ts";
import { namesIn, realPathOf, statAt } from "../../adapters/io/look.ts";
import { runProgram } from "../../adapters/io/program.ts";
import { removeFolder } from "../../adapters/io/remove-folder.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { plainCommand } from "../../core/proof/methods/external.ts";
import type { SetUpPlan } from "../../core/proof/proof.ts";
import { type CheckSetting, runCheck } from "../command/check.ts";
import { dependencyCache, ownFolders } from "./dependency-cache.ts";
import { SETUP_FILES, type SetUp, setUpOf } from "./room-setup.ts";

interface ReadyRequest {
  what: string;
  log: BlobWriter;
  /** Called before the setup without a result, and after it. */
  show(name: string, result: CheckResult | null): void;
  cleanRoom: SetUpPlan;
  /** The folder of all rooms of the repository. */
  rooms: string;
  root: string;
  commit: string;
  setting: CheckSetting;
}

/** Gets dependencies from an earlier room or by running the setup. Null if stopped. */
export async function makeReady(request: ReadyRequest): Promise<CheckResult | "ready" | null> {
  const { root, commit, setting } = request;
  const { cwd } = setting;
  const [files, tree, node] = await Promise.all([
    committedFiles(root, SETUP_FILES),
    treeOf(root, commit),
    runProgram({ file: "node", args: ["--version"], cwd, env: setting.env }),
  ]);
  const setUp = setUpOf(request.cleanRoom, { root, cwd, files, tree, nodeVersion: node.stdout.trim() });
  if (!setUp) return "ready";
  const quit = setting.stops.soft;
  const kept = dependencyCache(join(request.rooms, "dependencies"));
  const copy = { key: setUp.key ?? "", root, folders: setUp.cached, quit };
  if (setUp.key !== null && (await kept.copyIn(copy))) {
    for (const folder of setUp.cached) makeExecutable(join(root, folder, ".bin"), root);
    return quit.aborted ? null : "ready";
  }
  const result = await runSetUp(request, setUp);
  if (result?.is !== "pass") return result;
  if (setUp.key !== null) await kept.keep(copy);
  return quit.aborted ? null : "ready";
}

/** Of the packages of the repository itself, an installer makes the programs executable, and no folder shows that. */
function makeExecutable(bin: string, root: string): void {
  for (const name of namesIn(bin)) {
    const program = statAt(join(bin, name));
    if (!program?.isFile() || (program.mode & 0o111) !== 0) continue;
    if (isInside(realPathOf(join(bin, name)) ?? "", root)) chmodSync(join(bin, name), program.mode | 0o111);
  }
}

async function runSetUp(request: ReadyRequest, { command, cached, folder: cwd }: SetUp): Promise<CheckResult | null> {
  const { what, log, show, root, setting, cleanRoom } = request;
  // Folders that an installer creates are not taken from the commit.
  if (cleanRoom.setup === null) for (const folder of ownFolders(root, cached)) await removeFolder(join(root, folder));
  const name = `${what}: ${command}`;
  show(name, null);
  // Husky would set the hooks of the repository that the worktree belongs to.
  const check = { ...plainCommand(command), name, timeoutMs: cleanRoom.timeoutMs, cache: false, env: { HUSKY: "0" } };
  const result = await runCheck(check, log, { ...setting, cwd, token: `${setting.token}/setup/` });
  if (result) show(name, result);
  return result;
}

/**
 * The variables that lead into the checkout, such as PATH with an active virtual environment or PYTHONPATH. In the room
 * they lead to the same place there, so that no program or module of the agent's folders is found.
 */
export function variablesIn(root: string, checkout: string): Record<string, string> {
  const moved = (path: string) => {
    const real = (isAbsolute(path) && realPathOf(path)) || path;
    return isInside(real, checkout) ? join(root, relative(checkout, real)) : path;
  };
  const all = Object.entries(environment()).map(([name, value = ""]) => {
    return [name, value, value.split(delimiter).map(moved).join(delimiter)] as const;
  });
  return Object.fromEntries(all.flatMap(([name, before, after]) => (before === after ? [] : [[name, after]])));
}

/** A text in which the paths of one folder are those of another, as in a command with an absolute path. */
export function pathsMoved(from: readonly string[], to: string): (text: string) => string {
  if (from.includes("/")) return (text) => text;
  const named = [...new Set(from)].map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const whole = new RegExp(`(?<![\\w.-])(?:${named.join("|")})(?![\\w.-])`, "g");
  return (text) => text.replace(whole, () => to);
}
