import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HostSession } from "../../core/host.ts";
import { makeFolder } from "./folder.ts";
import { replaceFile } from "./replace-file.ts";
import { stateHome } from "./state-folder.ts";

/** Where to find the loop of a host's session. */
export interface SessionEntry {
  loop: string;
  /** The folder whose journal contains it; the session may have changed to another folder. */
  cwd: string;
}

/** The journal is the source of truth; an entry, written before a loop starts, saves other sessions from opening it. */
const fileOf = ({ host, id }: Session): string =>
  join(stateHome(), "sessions", createHash("sha256").update(`${host}\0${id}`).digest("hex").slice(0, 32));

type Session = Pick<HostSession, "host" | "id">;

export function sessionEntry(session: Session): SessionEntry | null {
  try {
    const { loop, cwd } = JSON.parse(readFileSync(fileOf(session), "utf8"));
    return typeof loop === "string" && typeof cwd === "string" ? { loop, cwd } : null;
  } catch {
    return null; // usually missing; an unreadable entry counts as missing
  }
}

export function noteSession(session: Session, entry: SessionEntry): void {
  const path = fileOf(session);
  makeFolder(join(path, ".."), 0o700);
  replaceFile(path, JSON.stringify(entry));
}

export const forgetSession = (session: Session): void => rmSync(fileOf(session), { force: true });
