import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { forgetWorktree } from "../../adapters/git/worktree.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { temporaryFolder } from "../../adapters/io/environment.ts";
import { makeFolder } from "../../adapters/io/folder.ts";
import { isInside } from "../../adapters/io/inside.ts";
import { moveAside, removeFolder } from "../../adapters/io/remove-folder.ts";
import { RalphError } from "../../core/errors.ts";
import type { StateFolder, Workspace } from "../../core/workspace.ts";

/** Where clean rooms are created. Never below the checkout, where a room would find the agent's modules. */
export function roomsPath(folder: StateFolder, cwd: string): string {
  const checkout = checkoutRoot(cwd) ?? cwd;
  if (!isInside(folder.root, realpathSync(checkout))) return folder.rooms;
  // One per state folder: another one has its own leases, so it is unknown whether its rooms are in use.
  const digest = createHash("sha256").update(folder.root).digest("hex").slice(0, 12);
  return join(realpathSync(temporaryFolder()), `ralph-rooms-${userInfo().uid}-${digest}`);
}

/** Creates the folder for clean rooms. */
export function roomFolder(folder: StateFolder, cwd: string): string {
  const checkout = realpathSync(checkoutRoot(cwd) ?? cwd);
  const rooms = roomsPath(folder, cwd);
  if (rooms === folder.rooms) {
    makeFolder(folder.root);
    makeFolder(rooms);
    return realpathSync(rooms);
  }
  if (!isInside(rooms, checkout) && isOurs(rooms)) return rooms;
  throw new RalphError("no-room", `there is no place for a clean room outside ${checkout}`, {
    hint: "set RALPH_STATE_DIR to a folder outside the repository",
  });
}

/** The temporary folder is writable by all users: another user's folder of this name is not used. */
function isOurs(path: string): boolean {
  // With `recursive`, a folder that another loop has just created is not an error.
  if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o022) === 0;
}

const ROOM = /^([0-9a-f]{8})-[0-9a-f]+$/;

/** Renames a room to free its path, then removes its files. */
export async function removeRoom(cwd: string, path: string): Promise<void> {
  const aside = await moveAside(path, `${path}.gone`);
  await forgetWorktree(cwd, path);
  await removeFolder(aside ?? path);
}

/** Removes the rooms of killed loops. A loop that is being driven keeps its room. */
export async function removeLeftovers(
  { leases }: Workspace,
  rooms: string,
  { loop, cwd }: { loop: string; cwd: string },
): Promise<void> {
  for (const name of readdirSync(rooms)) {
    if (name.endsWith(".gone")) await removeFolder(join(rooms, name));
    const owner = ROOM.exec(name)?.[1];
    if (owner === undefined) continue;
    const lease = owner === loop ? null : await leases.take({ kind: "loop", id: owner });
    if (owner !== loop && !lease) continue;
    try {
      await removeRoom(cwd, join(rooms, name));
    } finally {
      lease?.release();
    }
  }
}
