import { join, resolve } from "node:path";
import type { Tamper } from "../../core/loop/events.ts";
import { testChanges, testsLeft } from "../test-files/compare.ts";
import { fileChange, valueChange } from "./change-words.ts";
import { entryAt, openLook, sameState } from "./file-state.ts";
import { contentOf, copyOf, type KeptRecord, type ProtectedRecord } from "./record.ts";
import { readValue, type Value } from "./values.ts";

/** What git shows now, for a record that has looked at it. */
export interface GitNow {
  values: Readonly<Record<string, Value>>;
  overlooked: readonly string[];
}

const SHOWN = 5;

/** What is no longer as the record has it, with what became of it. */
export async function tamperSince({ record, kept }: KeptRecord, root: string, git: GitNow | null): Promise<Tamper[]> {
  return [
    ...(await fileChanges({ record, kept }, root)),
    ...valueChanges(record, root, git),
    ...overlookedChanges(record, git),
    ...watchedChanges(record, root),
    ...(record.fewestTests ? testsLeft(root, record.fewestTests) : []),
  ];
}

/** What two agents have done to tests, one after the other, counts as if one had done it all. */
function watchedChanges({ tests, earlierTests }: ProtectedRecord, root: string): Tamper[] {
  const since = tests ? testChanges(root, tests) : [];
  const known = new Set(since.map(({ path }) => path));
  const before = earlierTests ? testChanges(root, earlierTests) : [];
  return [...since, ...before.filter(({ path }) => !known.has(path))];
}

async function fileChanges({ record, kept }: KeptRecord, root: string): Promise<Tamper[]> {
  const look = openLook(root);
  const changed: Tamper[] = [];
  for (const [path, before] of Object.entries(record.files)) {
    const after = look.state(path);
    if (sameState(before, after)) continue;
    const contents = { before: await copyOf(kept, before.sha), after: contentOf(resolve(root, path)) };
    changed.push({ path, change: fileChange(before, after, contents) });
  }
  return changed;
}

function valueChanges({ values }: ProtectedRecord, root: string, git: GitNow | null): Tamper[] {
  return Object.entries(values).flatMap(([path, before]) => {
    const after = git && Object.hasOwn(git.values, path) ? (git.values[path] ?? null) : readValue(root, path);
    if (before?.sha === after?.sha) return [];
    return [{ path, change: valueChange(before?.text ?? null, after?.text ?? null) }];
  });
}

/** Only what was added counts: a mark that is gone hides nothing. */
function overlookedChanges(record: ProtectedRecord, git: GitNow | null): Tamper[] {
  const known = new Set(record.git?.overlooked);
  const added = (git?.overlooked ?? []).filter((path) => !known.has(path));
  if (!record.git || added.length === 0) return [];
  const more = added.length > SHOWN ? ` and ${added.length - SHOWN} more` : "";
  return [
    {
      path: ".git/index",
      change: `git was configured to ignore changes of ${added.slice(0, SHOWN).join(", ")}${more}`,
    },
  ];
}

/** Which file each of the frozen ones is, and when it was last written to: two looks show whether it was replaced between them. */
export function stampsOf({ files }: ProtectedRecord, root: string): Map<string, string> {
  return new Map(Object.keys(files).map((path) => [path, stampOf(join(root, path))]));
}

function stampOf(path: string): string {
  const stats = entryAt(path);
  return stats ? `${stats.ino} ${stats.mtimeMs}` : "";
}
