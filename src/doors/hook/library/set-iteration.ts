import { randomBytes } from "node:crypto";
import type { Journal } from "../../../core/store.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { inJournal, unlessHeld } from "./library-journal.ts";
import type { LibraryPlace } from "./library-start.ts";
import { factsOf } from "./stop-sync.ts";

/** Says that a loop is at another iteration: the turn at hand has ended without a claim, and the other one has begun. */
export function setIteration(place: LibraryPlace, id: string, n: number): void {
  const isSet = inJournal(place, false, (journal) => unlessHeld(place, id, () => begin(journal, id, n)));
  if (!isSet) throw new Error(`loop ${id} is just being gone on with`);
}

function begin(journal: Journal, id: string, n: number): boolean {
  const { state, note, write } = factsOf(journal.load(id), journal);
  const { n: now, attempt, turn, agent, spec, sessionId } = state();
  if (now === n) return true;
  if (turn && !turn.ended)
    note({
      type: "turn.ended",
      n: now,
      attempt,
      ...{ claim: null, doubts: [], blocked: null, failed: null, refused: null },
      ...{ usage: NO_USAGE, sessionId, sessionUsage: null, source: "host", tools: null, model: null },
    });
  const nonce = spec?.proof.nonce ? randomBytes(2).toString("hex") : null;
  note({ type: "turn.began", n, attempt: 1, agent, runToken: `${id}/state/${n}`, log: null, nonce });
  write();
  return true;
}
