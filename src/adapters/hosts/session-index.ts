import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../core/errors.ts";
import type { HostSession } from "../../core/host.ts";
import { makeFolder } from "../io/folder.ts";
import { jsonAt } from "../io/look.ts";
import { replaceFile } from "../io/replace-file.ts";
import { stateHome } from "../io/state-folder.ts";

/** Where to find the loop of a host's session. */
export interface SessionEntry {
  loop: string;
  /** The folder whose journal contains it; the session may have changed to another folder. */
  cwd: string;
  /** How often its host lets Ralph send the agent back from now on. */
  left?: number;
}

/** The journal is the source of truth; an entry, written before a loop starts, saves other sessions from opening it. */
const fileOf = ({ host, id }: Session): string =>
  join(stateHome(), "sessions", createHash("sha256").update(`${host}\0${id}`).digest("hex").slice(0, 32));

type Session = Pick<HostSession, "host" | "id">;

export function sessionEntry(session: Session): SessionEntry | null {
  const { loop, cwd, left } = Object(jsonAt(fileOf(session)));
  if (typeof loop !== "string" || typeof cwd !== "string") return null;
  return { loop, cwd, ...(typeof left === "number" ? { left } : {}) };
}

export function noteSession(session: Session, entry: SessionEntry): void {
  const path = fileOf(session);
  makeFolder(join(path, ".."), 0o700);
  replaceFile(path, JSON.stringify(entry));
}

export const forgetSession = (session: Session): void => rmSync(fileOf(session), { force: true });

/** Duplicate deliveries are never further apart than this. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Whether this is an event's first delivery: a host delivers each event twice if its hooks are installed twice. */
export function isFirstReport({ host, id }: HostSession, name: string): boolean {
  const folder = join(stateHome(), "sessions", "told");
  makeFolder(folder, 0o700);
  const digest = createHash("sha256").update(`${host}\0${id}\0${name}`).digest("hex").slice(0, 32);
  try {
    writeFileSync(join(folder, digest), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  forgetOld(folder);
  return true;
}

function forgetOld(folder: string): void {
  const beforeMs = Date.now() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const wroteMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (wroteMs !== undefined && wroteMs < beforeMs) rmSync(path, { force: true });
  }
}
