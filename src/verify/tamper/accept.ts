import type { Inventory } from "../test-files/inventory.ts";
import { type FileState, stateDigest } from "./file-state.ts";
import type { ProtectedRecord } from "./record.ts";
import type { Value } from "./values.ts";

interface Looks {
  before: ProtectedRecord;
  after: ProtectedRecord;
}

/**
 * The trusted record plus the changes between two looks. If others had changed a file before, only deletion is
 * accepted.
 */
export function accepted(trusted: ProtectedRecord, { before, after }: Looks): ProtectedRecord {
  return {
    ...trusted,
    files: merged(trusted.files, before.files, after.files),
    values: merged(trusted.values, before.values, after.values),
    ...(trusted.absent ? { absent: absentAfter(trusted.absent, before.absent ?? [], after.absent ?? []) } : {}),
    git: gitAfter(trusted.git, before.git, after.git),
    tests: trusted.tests && testsAfter(trusted.tests, before.tests ?? {}, after.tests ?? {}),
  };
}

type States<T> = Readonly<Record<string, T>>;

function merged<T extends FileState | Value>(trusted: States<T>, before: States<T>, after: States<T>): States<T> {
  const changed = Object.entries(after).filter(([key, now]) => {
    const [known, was, is] = [trusted[key], before[key], now].map(digestOf);
    return is !== was && (known === undefined || known === was || is === digestOf(null));
  });
  return { ...trusted, ...Object.fromEntries(changed) };
}

/** The same for what is gone, a file or a value; undefined for what was not looked at. */
function digestOf(state: FileState | Value | undefined): string | undefined {
  if (!state) return state === null ? "absent" : undefined;
  return "is" in state ? stateDigest(state) : state.sha;
}

function testsAfter(trusted: Inventory, before: Inventory, after: Inventory): Inventory {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const tests: Inventory = { ...trusted };
  for (const path of paths) {
    const now = after[path];
    if (before[path]?.sha === now?.sha) continue;
    if (!now) delete tests[path];
    else if (trusted[path]?.sha === before[path]?.sha) tests[path] = now;
  }
  return tests;
}

type Absences = NonNullable<ProtectedRecord["absent"]>;

/** What appeared between the two looks may be there from now on. */
function absentAfter(trusted: Absences, before: Absences, after: Absences): Absences {
  const knownIn = (all: Absences, { names }: Absences[number]) =>
    all.filter((one) => one.names.join() === names.join()).flatMap(({ known }) => known);
  return trusted.map((group) => {
    const old = new Set(knownIn(before, group));
    const fresh = knownIn(after, group).filter((path) => !old.has(path));
    return { ...group, known: [...new Set([...group.known, ...fresh])] };
  });
}

type Git = ProtectedRecord["git"];

function gitAfter(trusted: Git, before: Git, after: Git): Git {
  if (!trusted || !after) return trusted ?? after;
  const known = new Set(before?.overlooked);
  const added = after.overlooked.filter((path) => !known.has(path));
  return { ...trusted, overlooked: [...new Set([...trusted.overlooked, ...added])] };
}
