import { lstatSync } from "node:fs";
import { RalphError } from "../../../core/errors.ts";
import { asideOf, type Change } from "./change.ts";
import { type FoundFile, fileRefused, fileText, findFile, requireWritable } from "./found-file.ts";
import { type Hooks, withHooks, withoutHooks } from "./hooks-json.ts";
import { fileDigest, type InstallRecord, recordOf } from "./record.ts";
import { isOurText, unixLines } from "./texts.ts";

/** A file of an installation: hooks in a host's file, or a file of Ralph's own. */
export type Wanted = { path: string; hooks: Hooks } | { path: string; text: string };

const BOM = "\ufeff";

/** The changes that install these files. Throws if that is impossible, before anything is written. */
export function planInstall(wanted: readonly Wanted[], { force }: { force: boolean }): Change[] {
  const changes = wanted.map((file) => ("hooks" in file ? hooksIn(file) : textIn(file, force)));
  for (const { seen: file, did } of changes) if (did !== "unchanged") requireWritable(file);
  return changes;
}

export function planRemoval(wanted: readonly Wanted[]): Change[] {
  const changes = wanted.map((file) => ("hooks" in file ? hooksOut(file.path) : textOut(file)));
  for (const { seen: file, did } of changes) if (did !== "unchanged" && did !== "kept") requireWritable(file);
  return changes;
}

function known(path: string): { file: FoundFile; record: InstallRecord | null; isOurs: boolean } {
  const file = findFile(path);
  const record = recordOf(file.real);
  const isOurs = record !== null && file.bytes !== null && record.written.includes(fileDigest(file.bytes));
  return { file, record, isOurs };
}

function hooksIn({ path, hooks }: { path: string; hooks: Hooks }): Change {
  const { file, record, isOurs } = known(path);
  const { mark, text } = marked(file);
  const after = Buffer.from(mark + withHooks({ path, text }, hooks));
  if (file.bytes?.equals(after)) return same(file, record);
  const before = isOurs ? (record?.original ?? null) : stripped(file, record);
  return written(file, after, { original: before, record, isOurs });
}

function textIn({ path, text }: { path: string; text: string }, force: boolean): Change {
  const { file, record, isOurs } = known(path);
  const there = file.bytes === null ? null : file.bytes.toString("utf8");
  if (there !== null && unixLines(there) === text) return same(file, record);
  const after = Buffer.from(text);
  if (there === null || isOurs || isOurText(there)) {
    // A missing file may have been moved aside by an interrupted installation.
    const original = isOurs || there === null ? (record?.original ?? null) : null;
    return written(file, after, { original, record, isOurs });
  }
  if (!force) {
    throw new RalphError("file-changed", `${path} differs from Ralph's version; nothing was changed`, {
      hint: "move it away, or use --force, which keeps it as .bak",
    });
  }
  const aside = asideOf(path);
  if (lstatSync(aside, { throwIfNoEntry: false })) {
    throw fileRefused(aside, "already exists and would be replaced", "move it away, then try again");
  }
  return { ...written(file, after, { original: file.bytes, record, isOurs }), aside };
}

const same = (file: FoundFile, record: InstallRecord | null): Change => ({
  seen: file,
  did: "unchanged",
  after: null,
  record,
  aside: null,
});

interface Before {
  original: Buffer | null;
  record: InstallRecord | null;
  isOurs: boolean;
}

function written(file: FoundFile, after: Buffer, { original, record, isOurs }: Before): Change {
  const digests = [...(isOurs && file.bytes ? [fileDigest(file.bytes)] : []), fileDigest(after)];
  const folders = [...(record?.folders ?? []), ...file.missing];
  return {
    seen: file,
    did: file.bytes === null ? "made" : "changed",
    after,
    record: { path: file.real, original, written: digests, folders: [...new Set(folders)] },
    aside: null,
  };
}

function hooksOut(path: string): Change {
  const { file, record, isOurs } = known(path);
  const back = isOurs ? (record?.original ?? null) : stripped(file, record);
  if (file.bytes === null || (back !== null && file.bytes.equals(back))) return same(file, null);
  return { seen: file, did: back === null ? "removed" : "restored", after: back, record: null, aside: null };
}

/** A file without Ralph's hooks; null if nothing else was in it. */
function stripped(file: FoundFile, record: InstallRecord | null): Buffer | null {
  const { path, bytes } = file;
  if (bytes === null) return null;
  const { mark, text } = marked(file);
  const original = record?.original?.toString("utf8").replace(BOM, "") ?? null;
  const left = withoutHooks({ path, text }, original);
  if (left === text) return bytes;
  // A symlink and its target belong to the user.
  const isOwn = record ? record.original === null : !lstatSync(path).isSymbolicLink();
  return isOwn && left.replace(/\s/g, "") === "{}" ? null : Buffer.from(mark + left);
}

function textOut({ path }: { path: string }): Change {
  const { file, record, isOurs } = known(path);
  const before = record?.original ?? null;
  if (file.bytes === null && before === null) return same(file, null);
  if (file.bytes !== null && !isOurs && !isOurText(file.bytes.toString("utf8"))) {
    return { seen: file, did: "kept", after: null, record: null, aside: null };
  }
  return { seen: file, did: before === null ? "removed" : "restored", after: before, record: null, aside: null };
}

function marked(file: FoundFile): { mark: string; text: string } {
  const text = fileText(file) ?? "";
  return text.startsWith(BOM) ? { mark: BOM, text: text.slice(1) } : { mark: "", text };
}

/** The folders created for these files. Must be called before their records are dropped. */
export const madeFolders = (wanted: readonly Wanted[]): string[] =>
  wanted.flatMap(({ path }) => recordOf(findFile(path).real)?.folders ?? []);
