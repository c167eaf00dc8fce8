import { firstNamed } from "../../core/excerpt.ts";
import type { Tamper } from "../../core/loop/events.ts";
import { testChanges, testsLeft } from "../test-files/compare.ts";
import type { Obsolete } from "../test-files/obsolete.ts";
import { appeared } from "./absences.ts";
import { valueChange } from "./change-words.ts";
import { byEffect, fileChanges } from "./file-changes.ts";
import type { KeptRecord, ProtectedRecord } from "./record.ts";
import { isWhole, readValue, type Value } from "./values.ts";

/** The current git values, for a record that includes git. */
export interface GitNow {
  values: Readonly<Record<string, Value>>;
  overlooked: readonly string[];
}

const SHOWN = 5;

/** What differs from the record, and how. */
export async function tamperSince(
  { record, kept }: KeptRecord,
  root: string,
  { git, obsolete }: { git: GitNow | null; obsolete?: Obsolete | undefined },
): Promise<Tamper[]> {
  return [
    ...(await fileChanges({ record, kept }, root)),
    ...valueChanges(record, root, git),
    ...appeared(root, record.absent ?? []).filter(({ path }) => !Object.hasOwn(record.files, path)),
    ...overlookedChanges(record, git),
    ...watchedChanges(record, root, obsolete),
    ...(record.fewestTests ? testsLeft(root, record.fewestTests) : []),
  ];
}

/** Changes of tests by two agents, one after the other, count as if one had made them all. */
function watchedChanges(
  { tests, earlierTests }: ProtectedRecord,
  root: string,
  obsolete: Obsolete | undefined,
): Tamper[] {
  const since = tests ? testChanges(root, tests, obsolete) : [];
  const known = new Set(since.map(({ path }) => path));
  const before = earlierTests ? testChanges(root, earlierTests) : [];
  return [...since, ...before.filter(({ path }) => !known.has(path))];
}

function valueChanges({ values }: ProtectedRecord, root: string, git: GitNow | null): Tamper[] {
  return Object.entries(values).flatMap(([path, before]) => {
    const after = git && Object.hasOwn(git.values, path) ? (git.values[path] ?? null) : readValue(root, path);
    if (before?.sha === after?.sha) return [];
    const tamper = { path, change: valueChange(before?.text ?? null, after?.text ?? null) };
    return byEffect(
      tamper,
      isWhole(before) && isWhole(after) ? { before: before?.text ?? null, after: after?.text ?? null } : null,
    );
  });
}

/** Only added flags count: a removed one hides nothing. */
function overlookedChanges(record: ProtectedRecord, git: GitNow | null): Tamper[] {
  const known = new Set(record.git?.overlooked);
  const added = (git?.overlooked ?? []).filter((path) => !known.has(path));
  if (!record.git || added.length === 0) return [];
  return [
    {
      path: ".git/index",
      change: `git was configured to ignore changes of ${firstNamed(added, SHOWN)}`,
    },
  ];
}
