import { sameButNamed } from "../../core/location.ts";
import type { LoopEvent } from "../../core/loop/events.ts";
import { reduce } from "../../core/loop/reduce.ts";
import { type LoopState, START } from "../../core/loop/state.ts";
import { canonicalJson } from "../../core/receipt/canonical.ts";
import type { Damage, JournalCheck, LoadedLoop, Seal } from "../../core/store.ts";
import { VERSION } from "../../core/version.ts";
import { cellOf, rowText, type StoredRow } from "./cells.ts";
import { link, NO_HASH, textDigest } from "./chain.ts";
import { type EntryRow, entryRowOf, eventIn, unreadableEntry } from "./entry-rows.ts";
import type { Statements } from "./statements.ts";
import { columnsOf, loopColumns } from "./summary.ts";

/** So many entries are in memory at a time. */
const PAGE = 100;

/** Where the way through a journal has got to. */
interface Step {
  seq: number;
  epoch: number;
  state: LoopState;
  head: string;
  prev: string;
  spec: string;
  chainedFrom: number | null;
  /** The version that drove it last; null where it was not written down. */
  version: string | null;
}

/** A journal that was read from its first entry to its last, or to where it is damaged. */
interface Walk extends Step {
  damage: Damage | null;
  snapshot: string;
  /** The hash of the entry that was asked for; null where the way did not lead there. */
  headAt: string | null;
}

/** Reads all entries of a loop in order and verifies each, then what is kept beside them. In one transaction. */
export function walkJournal(sql: Statements, row: StoredRow, at = 0): Walk {
  const id = String(row.id);
  const kept = snapshotOf(sql, id);
  let step: Step = {
    ...{ seq: 0, epoch: 0, state: START, chainedFrom: null, version: null },
    ...{ head: NO_HASH, prev: NO_HASH, spec: NO_HASH },
  };
  let headAt: string | null = null;
  let damage: Damage | null = null;
  let folded: LoopState | null = null;
  for (const stored of entriesOf(sql, id)) {
    const next = stepOn(step, stored);
    if ("what" in next) {
      damage = next;
      break;
    }
    step = next;
    if (step.seq === at) headAt = step.head;
    if (step.seq === kept?.seq) folded = step.state;
  }
  damage ??= rowDamage(step, row) ?? (kept && snapshotDamage(step, kept, folded));
  return { ...step, headAt, damage, snapshot: textDigest(kept?.text ?? null) };
}

function* entriesOf(sql: Statements, loop: string): Generator<EntryRow> {
  for (let after: unknown = Number.NEGATIVE_INFINITY; ; ) {
    const page = sql.pageOfEntries.all({ loop, after, limit: PAGE });
    yield* page.map(entryRowOf);
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

/** The way with one more entry, or what is wrong with that. */
function stepOn(before: Step, stored: EntryRow): Step | Damage {
  const seq = before.seq + 1;
  const wrong = (what: string): Damage => ({ entry: seq, what });
  if (stored.seq !== seq) return wrong(placeWords(stored.seq, seq));
  const { event: text, hash } = stored;
  const head = link(before.head, { ...stored, event: String(text) });
  const broken = brokenLink(before, hash, head);
  if (broken) return wrong(broken);
  const read = eventIn(text);
  if ("wrong" in read) return wrong(read.wrong);
  const { event } = read;
  const chainedFrom = before.chainedFrom ?? (hash === null ? null : seq);
  const out = outOfOrder(before, stored, event);
  if (out) return wrong(out);
  const entry = { loop: String(stored.loop), seq, epoch: Number(stored.epoch), atMs: Number(stored.at_ms), event };
  const { epoch } = entry;
  const version = event.type === "loop.adopted" ? (event.version ?? null) : before.version;
  // Versions that write themselves down write hashes, too.
  if (version !== null && chainedFrom === null) return wrong("its hash was removed");
  try {
    const state = reduce(before.state, entry);
    const spec = seq === 1 ? head : before.spec;
    return { seq, epoch, state, head, prev: before.head, spec, chainedFrom, version };
  } catch {
    return wrong(unreadableEntry(entry));
  }
}

function brokenLink({ chainedFrom }: Step, hash: unknown, head: string): string | null {
  if (hash === null) return chainedFrom === null ? null : "it has no hash, and the entries before it have one";
  return hash === head ? null : "its hash does not fit: it was changed, or the entries before it were";
}

/** Why an entry cannot follow on the one before. What is older than the chain was not always this strict. */
function outOfOrder(before: Step, { hash, epoch, at_ms }: EntryRow, { type }: LoopEvent): string | null {
  if ((type === "loop.started") !== (before.seq === 0)) return `a ${type} cannot stand there`;
  if (typeof epoch !== "number" || typeof at_ms !== "number") return "its epoch or its time is no number";
  if (hash === null) return null;
  const wanted = type === "loop.adopted" ? before.epoch + 1 : before.epoch;
  if (epoch !== wanted) return `its epoch is ${epoch}, and has to be ${wanted}`;
  return at_ms < before.state.atMs ? "its time is before that of the entry before it" : null;
}

const placeWords = (found: unknown, wanted: number): string =>
  typeof found === "number" && Number.isInteger(found) && found > wanted
    ? "it is missing"
    : `an entry with the number ${String(found)} stands in its place`;

/** Whether what lists show of a loop is what its entries come to. */
function rowDamage(step: Step, row: StoredRow): Damage | null {
  const { seq, epoch, head, chainedFrom } = step;
  if (seq === 0) return { entry: 1, what: "it is missing" };
  if (typeof row.seq !== "number" || row.seq > seq) return { entry: seq + 1, what: "it is missing" };
  if (row.seq < seq) return { entry: row.seq + 1, what: `it was added: the loop's row ends with entry ${row.seq}` };
  const facts = chainedFrom === null ? { head: null } : { head, epoch };
  const wrong = Object.entries({ ...facts, ...columnsAfter(step) }).filter(
    ([name, value]) => cellOf(value) !== (row[name] ?? null),
  );
  if (wrong.length === 0) return null;
  const words = wrong
    .slice(0, MOST_COLUMNS)
    .map(([name, value]) => `${name} is ${shown(row[name])}, by the entries ${shown(value)}`);
  return { entry: null, what: `the loop's row is not what its entries come to: ${words.join("; ")}` };
}

/** What the row has to show; of what another version wrote, only that it has stopped and why. */
function columnsAfter(step: Step): object {
  const { state, chainedFrom } = step;
  if (chainedFrom === null) return {};
  const columns = columnsOf(state);
  if (!isComparable(step)) return { status: columns.status, reason: columns.reason };
  return { ...columns, created_at_ms: state.startedAtMs, ...(state.spec ? loopColumns(state.spec) : {}) };
}

const MOST_COLUMNS = 3;
const VALUE_CHARS = 80;
const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, VALUE_CHARS);

/** What another version kept beside the entries may be another reading of them; nobody goes on from it. */
const isComparable = ({ chainedFrom, version }: Step): boolean =>
  chainedFrom !== null && (version === null || version === VERSION);

interface Snapshot {
  seq: unknown;
  text: string;
}

export function snapshotOf(sql: Statements, loop: string): Snapshot | null {
  const found = sql.snapshot.get({ loop });
  return found ? { seq: cellOf(found.seq), text: String(cellOf(found.state)) } : null;
}

function snapshotDamage(step: Step, { seq, text }: Snapshot, folded: LoopState | null): Damage | null {
  if (!folded) return { entry: null, what: `the snapshot is of entry ${String(seq)}, which is not there` };
  if (!isComparable(step)) return null;
  const own = canonicalJson({ ...folded, spec: null });
  const kept = canonicalText(text);
  return kept === own || (kept !== null && sameButNamed(JSON.parse(kept), JSON.parse(own)))
    ? null
    : { entry: null, what: `the snapshot of entry ${String(seq)} is not what the entries come to` };
}

function canonicalText(text: string): string | null {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What its next writer remembers of a loop that was walked through. */
const sealOf = ({ head, prev, spec, snapshot }: Walk, row: StoredRow): Seal => ({
  ...{ head, prev, spec, snapshot },
  row: rowText(row),
});

export const loadedFrom = (walked: Walk, row: StoredRow): LoadedLoop => ({
  id: String(row.id),
  seq: walked.seq,
  epoch: walked.epoch,
  seal: sealOf(walked, row),
  state: walked.state,
});

export const checkOf = ({ seq, head, chainedFrom, damage }: Walk): JournalCheck => ({
  entries: seq,
  head: chainedFrom === null ? null : head,
  chainedFrom,
  damage,
});
