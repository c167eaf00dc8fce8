import { randomBytes } from "node:crypto";
import type { WorkspaceNow } from "../../../adapters/store/workspace.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { inJournal, loopDraft, unlessHeld } from "./library-journal.ts";
import type { LibraryPlace } from "./library-start.ts";

/** Says that a loop is at another iteration: the turn at hand has ended without a claim, and the other one has begun. */
export function setIteration(place: LibraryPlace, id: string, n: number): void {
  const isSet = inJournal(place, false, (journal) => unlessHeld(journal, id, () => begin(journal, id, n)));
  if (!isSet) throw new Error(`loop ${id} is just being gone on with`);
}

function begin(journal: WorkspaceNow, id: string, n: number): boolean {
  const { draft, write } = loopDraft(journal, id);
  const { n: now, attempt, turn, agent, spec, sessionId } = draft.state;
  if (now === n) return true;
  if (turn && !turn.ended)
    draft.note({
      type: "turn.ended",
      n: now,
      attempt,
      ...{ claim: null, doubts: [], blocked: null, failed: null, refused: null },
      ...{ usage: NO_USAGE, sessionId, sessionUsage: null, source: "host", tools: null, model: null },
    });
  const nonce = spec?.proof.nonce ? randomBytes(2).toString("hex") : null;
  draft.note({ type: "turn.began", n, attempt: 1, agent, runToken: `${id}/state/${n}`, log: null, nonce });
  write();
  return true;
}
