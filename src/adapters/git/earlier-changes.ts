import { checkoutRoot } from "../io/checkout.ts";
import { GONE, identityOf, isCommitted, kindAt } from "./file-identity.ts";
import { type StatusEntry, statusOf } from "./status.ts";

/** The uncommitted files of a checkout at one time: path → identity. A path is in the spelling of `StatusEntry.bytes`. */
export type FileRecord = ReadonlyMap<string, string>;

const FILES_AT_ONCE = 200;

/** Records the uncommitted files below a folder. Null if git cannot list them; `"many"` if there are more than `most`. */
export async function uncommittedRecord(
  cwd: string,
  pathspecs: readonly string[],
  most: number,
): Promise<FileRecord | "many" | null> {
  const root = checkoutRoot(cwd);
  const entries = root === null ? null : await statusOf(cwd, pathspecs, most);
  if (root === null || entries === null) return null;
  if (entries.length > most) return "many";
  const record = new Map<string, string>();
  for (const { bytes } of entries) {
    record.set(bytes, await identityOf(root, bytes));
    if (record.size % FILES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return record;
}

/** The record as a text; names may contain anything but NUL. */
export const recordText = (record: FileRecord): Buffer =>
  Buffer.from([...record].map(([bytes, identity]) => `${identity} ${bytes}\0`).join(""), "latin1");

export function readRecord(text: Buffer): FileRecord {
  const entries = text.toString("latin1").split("\0").filter(Boolean);
  return new Map(
    entries.map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(space + 1), entry.slice(0, space)];
    }),
  );
}

interface Divided {
  /** Changed since the record only. */
  since: StatusEntry[];
  /** Changed before it and since. */
  both: StatusEntry[];
}

/** Divides uncommitted files by when they were changed. What has not changed since the record is left out. */
export async function changedSince(
  root: string,
  entries: readonly StatusEntry[],
  record: FileRecord,
): Promise<Divided> {
  const divided: Divided = { since: [], both: [] };
  const moved = movedAway(root, record);
  for (const entry of entries) {
    const before = record.get(entry.bytes);
    const isMoved = before === undefined && moved.size > 0 && moved.has(await identityOf(root, entry.bytes));
    if (before === undefined) (isMoved ? divided.both : divided.since).push(entry);
    else if ((await identityOf(root, entry.bytes)) === before) continue;
    // What was there before has been committed: only what came later differs.
    else if (await isCommitted(root, entry.path, before)) divided.since.push(entry);
    else divided.both.push(entry);
  }
  return divided;
}

/** The contents of recorded files that are gone: where one turns up again, it was moved. */
function movedAway(root: string, record: FileRecord): ReadonlySet<string> {
  const gone = [...record].filter(([bytes, identity]) => identity !== GONE && kindAt(root, bytes) === GONE);
  return new Set(gone.map(([, identity]) => identity).filter((identity) => identity !== EMPTY));
}

const EMPTY = "file:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
