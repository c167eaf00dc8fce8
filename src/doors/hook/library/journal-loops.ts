import { faultFor } from "../../../adapters/agents/fault.ts";
import { inWorkspace, type Workspace } from "../../../adapters/store/workspace.ts";
import { messageOf } from "../../../core/errors.ts";
import type { HostSession } from "../../../core/host.ts";
import { requestOf } from "../../../core/inbox.ts";
import { promptOf } from "../../../engine/drive.ts";
import { type StopControl, stopControl } from "../../../engine/stop-control.ts";
import { readPrompt } from "../../../runtime/prompt.ts";
import { hookPrompt } from "../continuation.ts";
import { attendHostLoop, moveHostLoop, stopHostLoop } from "../host-loop.ts";
import { activeLoops, inJournal, stopUnheld } from "./journal-now.ts";
import type { LibraryLoop, LoopPort } from "./loop-port.ts";
import type { HookServices } from "./services.ts";
import { LIBRARY, type LibraryPlace, startInJournal, startNow } from "./start-in-journal.ts";

/** Keeps the loops of one folder in its journal. `ready` is called before each read. */
export function openJournalLoops(place: LibraryPlace, log: HookServices["log"], ready: () => void): LoopPort {
  /** Stop controls of the loops that this process is driving. */
  const walking = new Map<string, StopControl>();
  const at = <T>(work: (workspace: Workspace) => Promise<T>) => inWorkspace({ ...place, create: true }, work);
  const sessionOf = ({ sessionId }: LibraryLoop): HostSession => ({ host: LIBRARY, id: sessionId, cwd: place.cwd });
  const list = (sessionId?: string): LibraryLoop[] => {
    ready();
    return activeLoops(place, sessionId);
  };

  return {
    start: (wanted) => startNow({ ...place, wanted, baseline: false }),
    begin: (wanted) => startInJournal({ ...place, wanted, baseline: true }),
    list,
    find(sessionId) {
      try {
        return list(sessionId)[0] ?? null;
      } catch (error) {
        log("warn", `Failed to read state: ${messageOf(error)}`);
        return null;
      }
    },
    async attend(loop, events, arrivedMs) {
      const stops = stopControl();
      walking.set(loop.id, stops);
      try {
        return await at((workspace) => {
          const turn = { events, tellsTools: false };
          return attendHostLoop({ workspace, session: sessionOf(loop), stops }, loop.id, { turn, arrivedMs });
        });
      } finally {
        if (walking.get(loop.id) === stops) walking.delete(loop.id);
      }
    },
    async stop(loop, request) {
      walking.get(loop.id)?.ask(request);
      await at((workspace) => stopHostLoop({ workspace, session: sessionOf(loop) }, loop.id, request));
    },
    stopNow(loop, request) {
      const walk = walking.get(loop.id);
      walk?.ask(request);
      inJournal(place, undefined, (journal) => {
        if (!walk && stopUnheld(journal, loop.id, request)) return;
        journal.request({ kind: "loop", id: loop.id }, requestOf(request), Date.now());
      });
    },
    move: (loop, to) => at((workspace) => moveHostLoop({ workspace, session: sessionOf(loop) }, loop.id, to)),
    promptOf: ({ state }) => (state.spec ? promptOf(state, hookPrompt(state, readPrompt(state.spec))) : ""),
    faultOf({ name, message }) {
      const told = [name, message].filter(Boolean).join(": ") || "the host reported an error";
      const fault = faultFor({ message: told }, "log in, in the host", Date.now());
      // An unknown error counts as an environment failure: the turn is retried after a pause.
      return fault.kind === "crashed" ? { ...fault, kind: "network" } : fault;
    },
  };
}
