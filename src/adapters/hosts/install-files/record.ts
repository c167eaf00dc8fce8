import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../io/folder.ts";
import { replaceFile } from "../../io/replace-file.ts";
import { stateHome } from "../../io/state-folder.ts";

/** The record of a file that Ralph has written, for restoring the original. */
export interface InstallRecord {
  path: string;
  /** The file before Ralph changed it; null if there was none. */
  original: Buffer | null;
  /** Digests of the content that Ralph wrote, last and before, in case the last write was interrupted. */
  written: readonly string[];
  /** The folders that Ralph created for it, outermost first. */
  folders: readonly string[];
}

/** Older records are dropped: an uninstall then removes Ralph's entries but cannot restore every byte. */
const MOST_RECORDS = 500;

const folder = (): string => join(stateHome(), "installed");
const fileOf = (path: string): string =>
  join(folder(), `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);

export const fileDigest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The record of a file; null if there is none or it is unreadable. */
export function recordOf(path: string): InstallRecord | null {
  try {
    const { original, written, folders, ...rest } = JSON.parse(readFileSync(fileOf(path), "utf8"));
    if (rest.path !== path || !isTexts(written) || !isTexts(folders)) return null;
    if (original !== null && typeof original !== "string") return null;
    return { path, original: original === null ? null : Buffer.from(original, "base64"), written, folders };
  } catch {
    return null;
  }
}

export function keepRecord({ original, ...rest }: InstallRecord): void {
  makeFolder(folder(), 0o700);
  const content = JSON.stringify({ ...rest, original: original?.toString("base64") ?? null });
  replaceFile(fileOf(rest.path), content, 0o600);
  forgetOldest();
}

export const dropRecord = (path: string): void => rmSync(fileOf(path), { force: true });

function forgetOldest(): void {
  const names = readdirSync(folder()).filter((name) => name.endsWith(".json"));
  if (names.length <= MOST_RECORDS) return;
  const byAge = names
    .map((name) => join(folder(), name))
    .map((path) => ({ path, atMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.atMs - b.atMs);
  for (const { path } of byAge.slice(0, names.length - MOST_RECORDS)) rmSync(path, { force: true });
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
