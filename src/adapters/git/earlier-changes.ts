import { checkoutRoot } from "../io/checkout.ts";
import { contentOf, digestOf, GONE, identityOf, isCommitted } from "./file-identity.ts";
import { hiddenChanges } from "./hidden-changes.ts";
import { ABSENT, type HeadEntry, type StatusEntry, statusOf } from "./status.ts";

/**
 * The uncommitted files of a checkout at one time, and what git ignores there. A path is in the spelling of
 * `StatusEntry.bytes`.
 */
export type FileRecord = ReadonlyMap<string, Recorded>;

interface Recorded {
  /** See `identityOf`, or `IGNORED`. */
  identity: string;
  /** What the last commit had there; null: nothing; absent: not recorded. */
  head?: HeadEntry | null;
}

const IGNORED = "ignored";
const FILES_AT_ONCE = 200;
/** What is ignored beyond this number is not recorded: most are files that tools generate. */
const MOST_IGNORED = 50_000;

/** Records the uncommitted files below a folder. Null if git cannot list them; `"many"` if there are more than `most`. */
export async function uncommittedRecord(
  cwd: string,
  pathspecs: readonly string[],
  most: number,
): Promise<FileRecord | "many" | null> {
  const root = checkoutRoot(cwd);
  if (root === null) return null;
  const ignored: string[] = [];
  const [entries, hidden] = await Promise.all([
    statusOf(cwd, pathspecs, most, (bytes) => ignored.length < MOST_IGNORED && ignored.push(bytes)),
    hiddenChanges(root, cwd, pathspecs),
  ]);
  if (entries === null) return null;
  if (entries.length > most) return "many";
  const record = new Map<string, Recorded>();
  for (const { bytes, head = null } of [...hidden, ...entries]) {
    record.set(bytes, { identity: await identityOf(root, bytes), head });
    if (record.size % FILES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const bytes of ignored) if (!record.has(bytes)) record.set(bytes, { identity: IGNORED });
  return record;
}

/** The recorded paths that are uncommitted changes. */
export const changedPaths = (record: FileRecord): string[] =>
  [...record].filter(([, { identity }]) => identity !== IGNORED).map(([bytes]) => bytes);

/** The record as a text; names may contain anything but NUL. */
export const recordText = (record: FileRecord): Buffer =>
  Buffer.from([...record].map(([bytes, recorded]) => `${recordedText(recorded)} ${bytes}\0`).join(""), "latin1");

const recordedText = ({ identity, head }: Recorded): string =>
  head === undefined ? identity : [identity, ...(head ? [head.mode, head.hash, head.modeNow] : [""])].join("@");

function recordedOf(text: string): Recorded {
  const [identity = "", mode, hash = "", modeNow = ""] = text.split("@");
  return mode === undefined ? { identity } : { identity, head: mode === "" ? null : { mode, hash, modeNow } };
}

export function readRecord(text: Buffer): FileRecord {
  const entries = text.toString("latin1").split("\0").filter(Boolean);
  return new Map(
    entries.map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(space + 1), recordedOf(entry.slice(0, space))];
    }),
  );
}

interface Divided {
  /** Changed since the record only. */
  since: StatusEntry[];
  /** Changed before it and since. */
  both: StatusEntry[];
  /** Not in the last commit, and ignored when the record was made: perhaps changed before it. */
  ignored: StatusEntry[];
}

/** Divides uncommitted files by when they were changed. What has not changed since the record is left out. */
export async function changedSince(
  root: string,
  entries: readonly StatusEntry[],
  record: FileRecord,
): Promise<Divided> {
  const divided: Divided = { since: [], both: [], ignored: [] };
  const contents = contentsOf(record);
  for (const entry of entries) {
    const when = await whenChanged(root, entry, record, contents);
    if (when !== "before") divided[when].push(entry);
  }
  return divided;
}

async function whenChanged(
  root: string,
  entry: StatusEntry,
  record: FileRecord,
  contents: Contents,
): Promise<keyof Divided | "before"> {
  const { bytes } = entry;
  const before = record.get(bytes);
  if (before === undefined || before.identity === IGNORED) {
    const inside = entry.tracked ? undefined : enclosing(record, bytes);
    if (inside) return inside.identity === IGNORED ? "ignored" : "both";
    return contents.size > 0 && contents.has(contentOf(await identityOf(root, bytes))) ? "both" : "since";
  }
  if ((await identityOf(root, bytes)) === before.identity) return "before";
  // What was there before has been committed: only what came later differs.
  return isNewInHead(entry, before) && (await isCommitted(root, entry.path, before.identity)) ? "since" : "both";
}

const isRepository = (identity: string): boolean => identity.startsWith("folder:");

/** The record of an ignored path, or of a repository, that a path is or is in. */
function enclosing(record: FileRecord, bytes: string): Recorded | undefined {
  for (let end = bytes.length; end > 0; end = bytes.lastIndexOf("/", end - 1)) {
    const found = record.get(bytes.slice(0, end));
    if (found && (found.identity === IGNORED || isRepository(found.identity))) return found;
  }
  return undefined;
}

/** Whether the last commit has something else there than when the record was made, with the mode that was recorded. */
function isNewInHead({ head }: StatusEntry, { head: before }: Recorded): boolean {
  if (before === undefined) return true;
  if (!head || !before) return head !== undefined;
  const isSame = head.hash === before.hash && head.mode === before.mode;
  return !isSame && (before.modeNow === ABSENT || head.mode === before.modeNow);
}

type Contents = ReadonlySet<string>;

/** The contents of recorded files: where one turns up elsewhere, it was moved or copied. */
function contentsOf(record: FileRecord): Contents {
  const contents = [...record.values()].map(({ identity }) => contentOf(identity));
  return new Set(contents.filter((content) => !NO_CONTENT.has(content) && !isRepository(content)));
}

/** Unrelated files have these, too. */
const NO_CONTENT: ReadonlySet<string> = new Set([
  ...[IGNORED, GONE, "special"],
  ...["", "\n", "{}", "{}\n", "[]", "[]\n"].map((text) => digestOf(Buffer.from(text))),
]);
