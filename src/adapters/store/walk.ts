import { fieldOf } from "../../core/field.ts";
import type { Damage, JournalCheck, Loaded, Seal } from "../../core/journals.ts";
import { sameButNamed } from "../../core/location.ts";
import { canonicalJson } from "../../core/receipt/canonical.ts";
import { epochOf, type JournalTypes, subjectName } from "../../core/subject.ts";
import { CORE_VERSION } from "../../core/version.ts";
import { cellOf, rowText, type StoredRow } from "./cells.ts";
import { link, NO_HASH, textDigest } from "./chain.ts";
import { type EntryRow, entryRowOf, eventIn, unreadable } from "./entry-rows.ts";
import { JOURNAL, type Prepare } from "./statements.ts";
import type { Table, Walked } from "./table.ts";

const PAGE = 100;

/** A journal read from its first entry to the last, or to the first damage. */
export interface Walk<T extends JournalTypes> extends Walked<T> {
  damage: Damage | null;
  snapshot: string;
  /** The hash of the requested entry; null if reading did not reach it. */
  headAt: string | null;
}

/** Reads and verifies all entries of a subject, then its row and snapshot. Must be called in one transaction. */
export function walk<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  { id, row, at = 0 }: { id: string; row: StoredRow; at?: number },
): Walk<T> {
  const { kind } = table;
  const name = subjectName({ kind: kind.name, id });
  const kept = snapshotOf(sql, name);
  let step: Walked<T> = {
    ...{ seq: 0, epoch: 0, atMs: 0, state: kind.start, chainedFrom: null, version: null },
    ...{ head: NO_HASH, prev: NO_HASH, first: NO_HASH },
  };
  let headAt: string | null = at === 0 ? NO_HASH : null;
  let damage: Damage | null = null;
  let folded: { state: T["state"] } | null = null;
  for (const stored of entriesOf(sql, name)) {
    const next = stepOn(table, id, step, stored);
    if ("what" in next) {
      damage = next;
      break;
    }
    step = next;
    if (step.seq === at) headAt = step.head;
    if (step.seq === kept?.seq) folded = step;
  }
  damage ??= table.damage(step, row) ?? (kept && snapshotDamage(table, step, kept, folded));
  return { ...step, headAt, damage, snapshot: textDigest(kept?.text ?? null) };
}

function* entriesOf(sql: Prepare, subject: string): Generator<EntryRow> {
  for (let after: unknown = Number.NEGATIVE_INFINITY; ; ) {
    const page = sql(JOURNAL.page, "big").all({ subject, after, limit: PAGE });
    yield* page.map(entryRowOf);
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

function stepOn<T extends JournalTypes>(
  { kind }: Table<T>,
  id: string,
  before: Walked<T>,
  stored: EntryRow,
): Walked<T> | Damage {
  const seq = before.seq + 1;
  const wrong = (what: string): Damage => ({ entry: seq, what });
  if (stored.seq !== seq) return wrong(placeWords(stored.seq, seq));
  const { event: text, hash } = stored;
  const head = link(before.head, { ...stored, event: String(text) });
  const broken = brokenLink(before, hash, head);
  if (broken) return wrong(broken);
  const read = eventIn(kind, text);
  if ("wrong" in read) return wrong(read.wrong);
  const { event } = read;
  const chainedFrom = before.chainedFrom ?? (hash === null ? null : seq);
  const out = outOfOrder(kind, before, stored, event);
  if (out) return wrong(out);
  const [epoch, atMs] = [Number(stored.epoch), Number(stored.at_ms)];
  const version = event.type === kind.adoption ? versionIn(event) : before.version;
  // Versions that record themselves also write hashes.
  if (version !== null && chainedFrom === null) return wrong("its hash was removed");
  try {
    const state = kind.reduce(before.state, kind.entryOf(id, { seq, epoch, atMs, event }));
    const first = seq === 1 ? head : before.first;
    return { seq, epoch, atMs, state, head, prev: before.head, first, chainedFrom, version };
  } catch {
    return wrong(unreadable(event));
  }
}

function versionIn(event: object): string | null {
  const version = fieldOf(event, "version");
  return typeof version === "string" ? version : null;
}

function brokenLink({ chainedFrom }: { chainedFrom: number | null }, hash: unknown, head: string): string | null {
  if (hash === null) return chainedFrom === null ? null : "it has no hash, but the entries before it have one";
  return hash === head ? null : "its hash does not match: it or an entry before it was changed";
}

/** Why an entry cannot follow the one before. Entries older than the hash chain are checked less strictly. */
function outOfOrder(
  { opening, adoption }: { opening: string | null; adoption: string },
  before: { seq: number; epoch: number; atMs: number },
  { hash, epoch, at_ms }: EntryRow,
  event: { type: string },
): string | null {
  if (opening !== null && (event.type === opening) !== (before.seq === 0)) return `a ${event.type} is invalid there`;
  if (typeof epoch !== "number" || typeof at_ms !== "number") return "its epoch or time is not a number";
  if (hash === null) return null;
  const wanted = epochOf(adoption, event, before.epoch);
  if (epoch !== wanted) return `its epoch is ${epoch} instead of ${wanted}`;
  return at_ms < before.atMs ? "its time is before that of the entry before it" : null;
}

const placeWords = (found: unknown, wanted: number): string =>
  typeof found === "number" && Number.isInteger(found) && found > wanted
    ? "it is missing"
    : `an entry with the number ${String(found)} is in its place`;

type Origin = Pick<Walked<JournalTypes>, "chainedFrom" | "version">;

/** Another build may derive other values from the same entries, so its row and snapshot are not compared. */
export const isComparable = ({ chainedFrom, version }: Origin): boolean =>
  chainedFrom !== null && (version === null || version === CORE_VERSION);

type Snapshot = { seq: unknown; text: string };

export function snapshotOf(sql: Prepare, subject: string): Snapshot | null {
  const found = sql(JOURNAL.snapshot, "big").get({ subject });
  return found ? { seq: cellOf(found.seq), text: String(cellOf(found.state)) } : null;
}

function snapshotDamage<T extends JournalTypes>(
  { kind }: Table<T>,
  step: Walked<T>,
  { seq, text }: Snapshot,
  folded: { state: T["state"] } | null,
): Damage | null {
  if (!folded) return { entry: null, what: `the snapshot is of entry ${String(seq)}, which does not exist` };
  if (!isComparable(step)) return null;
  const own = canonicalJson(kind.withoutOpening(folded.state));
  const kept = canonicalText(text);
  return kept === own || (kept !== null && sameButNamed(JSON.parse(kept), JSON.parse(own)))
    ? null
    : { entry: null, what: `the snapshot of entry ${String(seq)} does not match the entries` };
}

function canonicalText(text: string): string | null {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A subject for its next driver, from an undamaged journal. */
export const loadedFrom = <T extends JournalTypes>(
  { sealed }: Table<T>,
  id: string,
  walked: Walk<T>,
  row: StoredRow,
): Loaded<T["state"]> => {
  const { seq, epoch, atMs, state, head, prev, first, snapshot, chainedFrom } = walked;
  const isChained = seq === 0 || chainedFrom !== null;
  const seal: Seal = { head, prev, first, snapshot, isChained, row: rowText(sealed, row) };
  return { id, seq, epoch, atMs, state, seal };
};

export const checkOf = <T extends JournalTypes>({ seq, head, chainedFrom, damage }: Walk<T>): JournalCheck => ({
  entries: seq,
  head: chainedFrom === null ? null : head,
  chainedFrom,
  damage,
});
