import { RalphError } from "../core/errors.ts";
import { loopKind } from "../core/loop/kind.ts";
import type { Note } from "../core/memory/memory.ts";
import type { Workspace } from "../core/workspace.ts";
import { openLedger } from "../engine/ledger.ts";
import { refuseAgents } from "./person.ts";
import { underLease } from "./under-lease.ts";

/** Keeps up with the notes of a loop that another process wants to drop. */
export function watchDrops({ inbox, news }: Workspace, id: string) {
  let wanted: ReadonlySet<number> = new Set();
  const look = async () => {
    wanted = new Set(await inbox.notesToDrop({ kind: "loop", id }));
  };
  // A look that fails is made again at the next news.
  const listening = news.listen(() => void look().catch(() => undefined));
  return { wanted: () => wanted, close: listening.close };
}

/** `asked`: the process that drives the loop drops them before its next iteration. */
export interface DroppedNotes {
  is: "dropped" | "asked";
  notes: readonly Note[];
}

/** Drops notes from the memory of a loop. Throws if it has none of that number. */
export async function dropNotes(
  workspace: Workspace,
  id: string,
  { notes, by }: { notes: readonly number[]; by: string },
): Promise<DroppedNotes> {
  refuseAgents(workspace, "ralph notes drop");
  const { store, inbox } = workspace;
  const subject = { kind: "loop", id } as const;
  const dropped = notesOf(id, (await store.glance(id)).state.memory?.notes ?? [], notes);
  const written = await underLease(workspace, subject, async (lease) => {
    const ledger = openLedger(loopKind, await store.load(id), { store, lease, now: Date.now });
    await ledger.write({ type: "notes.dropped", notes, by });
  });
  if (written === null) await inbox.requestDrop(subject, notes, { by, atMs: Date.now() });
  return { is: written === null ? "asked" : "dropped", notes: dropped };
}

function notesOf(id: string, known: readonly Note[], wanted: readonly number[]): Note[] {
  return wanted.map((number) => {
    const note = known.find((one) => one.id === number);
    if (note) return note;
    const numbers = known.map((one) => one.id).join(", ");
    throw new RalphError("note-unknown", `loop ${id} has no note ${number}`, {
      hint:
        known.length === 0
          ? `it has none; \`ralph notes ${id}\` shows them`
          : `it has ${numbers}; \`ralph notes ${id}\` shows them`,
    });
  });
}
