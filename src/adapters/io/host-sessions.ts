import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HostSession } from "../../core/host.ts";
import { makeFolder } from "./folder.ts";
import { replaceFile } from "./replace-file.ts";
import { stateHome } from "./state-folder.ts";

/** Where the loop of a host's session is found. */
export interface SessionEntry {
  loop: string;
  /** The folder whose journal has it: the session may have moved on to another one. */
  cwd: string;
}

/*
 * Which sessions of hosts have loops. The journal is the truth; this only spares every turn of every other session the
 * way to it. It is written before a loop begins, and taken away after it has stopped: what it does not name has none.
 */
const fileOf = ({ host, id }: Session): string =>
  join(stateHome(), "sessions", createHash("sha256").update(`${host}\0${id}`).digest("hex").slice(0, 32));

type Session = Pick<HostSession, "host" | "id">;

/** The entry of a session; null: it has no loop. */
export function sessionEntry(session: Session): SessionEntry | null {
  try {
    const { loop, cwd } = JSON.parse(readFileSync(fileOf(session), "utf8"));
    return typeof loop === "string" && typeof cwd === "string" ? { loop, cwd } : null;
  } catch {
    return null; // None is the rule; and what cannot be read leads nowhere.
  }
}

export function noteSession(session: Session, entry: SessionEntry): void {
  const path = fileOf(session);
  makeFolder(join(path, ".."), 0o700);
  replaceFile(path, JSON.stringify(entry));
}

export const forgetSession = (session: Session): void => rmSync(fileOf(session), { force: true });
