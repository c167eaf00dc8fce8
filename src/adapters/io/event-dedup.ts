import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostSession } from "../../core/host.ts";
import { makeFolder } from "./folder.ts";
import { stateHome } from "./state-folder.ts";

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
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
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
