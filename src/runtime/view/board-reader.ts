import { fileAt } from "../../adapters/io/folder.ts";
import { RalphError } from "../../core/errors.ts";
import type { Addressee } from "../../core/subject.ts";
import type { TaskState } from "../../core/task/state.ts";
import { type BoardView, MOST_LOOPS } from "../../core/view/board.ts";
import type { StateFolder, Workspace } from "../../core/workspace.ts";
import {
  clean,
  type Dirty,
  type Facts,
  leasesOf,
  noFacts,
  split,
  takeDay,
  takeJournals,
  takeLeases,
  takePulses,
  viewAfter,
} from "./board-model.ts";

/** How often to look at what nothing announces. */
interface Pace {
  /** Whether drivers still live: one that is killed writes nothing. */
  aliveMs: number;
  /** Pulses: with many drivers there is always a new one, and what is journalled must not wait for it. */
  pulsesMs: number;
  /** How long after a write all tasks are read again: two changes in one millisecond look like one. */
  sureMs: number;
}

const PACE: Pace = { aliveMs: 2_000, pulsesMs: 400, sureMs: 3_000 };

const nameOf = ({ kind, id }: Addressee): string => `${kind}/${id}`;

const NONE_BEATEN = { beaten: [], ended: false };

interface Opened {
  workspace: Workspace;
  /** The identity of the journal's file; null: there is none yet. */
  file: string | null;
  pace: Pace;
  facts: Facts;
  mark: string;
  /** As of the last refresh; null: not read yet. */
  journal: string | null;
  pulses: string | null;
  beatenMs: number;
  /** The leases that were listed then. */
  leases: ReadonlySet<string>;
  checkedMs: number;
  /** When something was written that has not been read twice. */
  unsureMs: number | null;
}

/** Reads what has changed since the last time. Only what may have changed is asked for. */
export function openReader(open: () => Promise<Workspace>, folder: StateFolder, pace = PACE) {
  let opened: Opened | null = null;

  function close(): void {
    opened?.workspace.close();
    opened = null;
  }

  return {
    close,
    /** Null: nothing shows differently. */
    async refresh(view: BoardView) {
      const file = fileAt(folder.database);
      if (opened && opened.file !== file) close();
      opened ??= openedAt(await open(), file, pace);
      try {
        return await refresh(opened, view);
      } catch (error) {
        // Something may have been read only in part: the next time, everything is read again.
        close();
        throw error;
      }
    },
  };
}

const openedAt = (workspace: Workspace, file: string | null, pace: Pace): Opened => ({
  ...{ workspace, file, pace, facts: noFacts(), mark: "", journal: null },
  ...{ pulses: null, beatenMs: 0, checkedMs: 0, unsureMs: null, leases: new Set() },
});

async function refresh(opened: Opened, view: BoardView) {
  const { workspace, facts } = opened;
  const [journal, pulses] = [await workspace.news.revision(), await workspace.pulses.revision()];
  takeDay(facts, Date.now());
  const { nowMs, isWritten, isUnsure, isBeaten, isDue } = dueIn(opened, { journal, pulses });
  if (!isWritten && !isUnsure && !isBeaten && !isDue) return null;

  const dirty = clean();
  const subjects = isWritten || isUnsure ? await takeRows(opened, dirty, isUnsure) : [];
  const { beaten, ended } = isBeaten ? takePulses(facts, await workspace.pulses.all(), dirty) : NONE_BEATEN;
  // A driver of which nothing is known yet may have begun before its first entry was read.
  const named = new Set([...subjects, ...beaten.filter((name) => !facts.taken.has(name))]);
  await takeTaken(opened, { dirty, named, which: isUnsure ? "all" : isDue || ended ? "taken" : "named" });
  if (isUnsure) opened.unsureMs = isWritten ? nowMs : null;
  else if (isWritten && opened.journal !== null) opened.unsureMs ??= nowMs;
  Object.assign(opened, { journal }, isBeaten ? { pulses, beatenMs: nowMs } : {});
  return viewAfter(view, facts, { dirty, subjects });
}

/** What has to be read now. */
function dueIn(opened: Opened, { journal, pulses }: { journal: string; pulses: string }) {
  const nowMs = Date.now();
  const isUnsure = opened.unsureMs !== null && nowMs - opened.unsureMs >= opened.pace.sureMs;
  return {
    nowMs,
    isUnsure,
    isWritten: opened.journal !== journal,
    isBeaten: opened.pulses !== pulses && nowMs - opened.beatenMs >= opened.pace.pulsesMs,
    isDue: isUnsure || nowMs - opened.checkedMs >= opened.pace.aliveMs,
  };
}

/** Returns the subjects with new entries. */
async function takeRows(opened: Opened, dirty: Dirty, isUnsure: boolean): Promise<readonly string[]> {
  const { workspace, facts } = opened;
  const isFirst = opened.journal === null;
  const { sinceMs } = facts.today;
  const rows = isFirst
    ? { ...(await workspace.rows.all({ stopped: MOST_LOOPS, sinceMs })), subjects: [] }
    : await workspace.rows.since({ at: facts.at, mark: isUnsure ? "" : opened.mark, sinceMs });
  for (const name of rows.subjects) {
    const [kind, id] = split(name);
    if (kind !== "task") continue;
    dirty.tasks.add(id);
    facts.states.delete(id);
  }
  takeJournals(facts, rows, dirty);
  if (!rows.tasks) return rows.subjects;
  opened.mark = rows.tasks.mark;
  for (const id of rows.tasks.told) {
    if (facts.states.has(id)) continue;
    const state = await stateOf(workspace, id);
    if (state) facts.states.set(id, state);
  }
  return rows.subjects;
}

/** Null: it is gone, or its journal is damaged. */
const stateOf = ({ tasks }: Workspace, id: string): Promise<TaskState | null> =>
  tasks.glance(id).then(
    ({ state }) => state,
    (error: unknown) => {
      if (error instanceof RalphError) return null;
      throw error;
    },
  );

interface Asked {
  dirty: Dirty;
  /** Asked for in any case, as are those that are seen for the first time. */
  named: ReadonlySet<string>;
  which: "named" | "taken" | "all";
}

/** Asks which drivers live. One that starts writes an entry or a pulse; one that is killed writes nothing. */
async function takeTaken(opened: Opened, { dirty, named, which }: Asked): Promise<void> {
  const { workspace, facts } = opened;
  const all = leasesOf(facts);
  const isAsked = (name: string): boolean =>
    which === "all" || named.has(name) || !opened.leases.has(name) || (which === "taken" && facts.taken.has(name));
  const asked = all.filter((one) => isAsked(nameOf(one)));
  const isTaken = await workspace.leases.areTaken(asked);
  const answers = new Map(asked.map((one, i) => [nameOf(one), isTaken[i] ?? false]));
  const names = all.map(nameOf);
  takeLeases(facts, new Set(names.filter((name) => answers.get(name) ?? facts.taken.has(name))), dirty);
  opened.leases = new Set(names);
  if (which !== "named") opened.checkedMs = Date.now();
}
