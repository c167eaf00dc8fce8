import { existsSync, realpathSync } from "node:fs";
import { openWorkspaceNow, type WorkspaceNow } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import { stopOf } from "../../../core/inbox.ts";
import type { StopRequest } from "../../../core/loop/events.ts";
import { loopKind } from "../../../core/loop/kind.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { closeOnPaper } from "../../../engine/drive.ts";
import { openDraft } from "../../../engine/ledger.ts";
import type { LibraryLoop } from "./loop-port.ts";
import { LIBRARY, type LibraryPlace } from "./start-in-journal.ts";

/** Resolves links, so that every process uses the same path. */
export const placeIn = (workdir: string, stateDir: string | undefined): LibraryPlace => ({
  cwd: existsSync(workdir) ? realpathSync(workdir) : workdir,
  stateDir,
});

/** Reads the journal, or returns `otherwise` if there is none. */
export function inJournal<T>({ cwd, stateDir }: LibraryPlace, otherwise: T, look: (journal: WorkspaceNow) => T): T {
  const journal = openWorkspaceNow(cwd, stateDir);
  if (!journal) return otherwise;
  try {
    return look(journal);
  } finally {
    journal.close();
  }
}

/** The active loops of the library in a folder, or of one session, latest first. */
export function activeLoops(place: LibraryPlace, sessionId?: string): LibraryLoop[] {
  return inJournal(place, [], (journal) =>
    journal
      .summaries({ active: true, ...(sessionId === undefined ? {} : { session: sessionId }) })
      .filter((summary) => isOurs(summary, place))
      .filter(({ id }) => !isAskedToStop(journal, id))
      .flatMap(({ id, sessionId }) => {
        const state = stateIn(journal, id);
        return state ? [{ id, sessionId: sessionId ?? "", state }] : [];
      }),
  );
}

/** Null if its journal is damaged, so that other loops can continue. */
function stateIn(journal: WorkspaceNow, id: string): LoopState | null {
  try {
    return journal.glance(id).state;
  } catch (error) {
    if (error instanceof RalphError && error.code === "journal-damaged") return null;
    throw error;
  }
}

const isOurs = ({ door, driver, cwd, host }: LoopSummary, place: LibraryPlace): boolean =>
  door === "hook" && driver === "host" && cwd === place.cwd && host === LIBRARY;

/** A stop request that arrived too late for another driver is carried out here. */
function isAskedToStop(journal: WorkspaceNow, id: string): boolean {
  const [request] = journal.requests({ kind: "loop", id });
  if (request) stopUnheld(journal, id, stopOf(request));
  return request !== undefined;
}

/** Stops a loop, unless another process drives it or the stop needs more than journal entries. */
export const stopUnheld = (journal: WorkspaceNow, id: string, request: StopRequest): boolean =>
  unlessHeld(journal, id, () => {
    const { draft, write } = loopDraft(journal, id);
    const isClosed = closeOnPaper(draft, request, Date.now);
    if (isClosed) write();
    return isClosed;
  });

/** A loop with entries that are not written yet; `write` writes them. */
export function loopDraft(journal: WorkspaceNow, id: string) {
  const draft = openDraft(loopKind, journal.load(id), Date.now);
  const write = () =>
    journal.append(
      draft.base,
      draft.pending.map(({ entry }) => entry),
      draft.state,
    );
  return { draft, write };
}

/** Runs `work` under the loop's lease. False if another process has the lease, or if `work` returns false. */
export function unlessHeld(journal: WorkspaceNow, id: string, work: () => boolean): boolean {
  const lease = journal.lease({ kind: "loop", id });
  if (!lease) return false;
  try {
    return work();
  } finally {
    lease.release();
  }
}
