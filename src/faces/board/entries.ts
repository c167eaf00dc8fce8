import type { BoardView } from "../../core/view/board.ts";
import type { Card } from "../../core/view/card.ts";
import type { LoopLine } from "../../core/view/loop-line.ts";

/** A line of the agent panel. */
export type Entry =
  | { is: "slot"; n: number; execution: string; card: Card | null; sinceMs: number | null }
  /** A task that is worked on, in a slot that is not known. */
  | { is: "task"; card: Card }
  | { is: "loop"; loop: LoopLine };

const known = new WeakMap<BoardView, readonly Entry[]>();

/** What works or could work: the slots of the executions, and the loops outside tasks. */
export function entriesOf(view: BoardView): readonly Entry[] {
  const before = known.get(view);
  if (before) return before;
  const byId = new Map(view.cards.map((card) => [card.id, card]));
  const slots = view.executions.flatMap(({ id, slots: all }) =>
    all.map((slot, i): Entry => {
      const card = (slot && byId.get(slot.task)) ?? null;
      return { is: "slot", n: i + 1, execution: id, card, sinceMs: slot?.sinceMs ?? null };
    }),
  );
  const inSlots = new Set(slots.flatMap((entry) => (entry.is === "slot" && entry.card ? [entry.card.id] : [])));
  const others = view.cards.filter(({ driven, id }) => driven && !inSlots.has(id));
  const loops = view.loops.filter(({ part, status }) => part === null && status !== "stopped");
  const entries: Entry[] = [
    ...slots.filter((entry) => entry.is === "slot" && entry.card),
    ...others.map((card): Entry => ({ is: "task", card })),
    ...loops.filter(({ driven }) => driven).map((loop): Entry => ({ is: "loop", loop })),
    ...slots.filter((entry) => entry.is === "slot" && !entry.card),
    ...loops.filter(({ driven }) => !driven).map((loop): Entry => ({ is: "loop", loop })),
  ];
  known.set(view, entries);
  return entries;
}

/** How many agents work, of how many slots there are. */
export function busyWords(view: BoardView): string {
  const entries = entriesOf(view);
  const busy = entries.filter((entry) => (entry.is === "loop" ? entry.loop.driven : entry.card !== null)).length;
  const free = entries.filter((entry) => entry.is === "slot" && entry.card === null).length;
  return free > 0 ? `${busy} of ${busy + free}` : String(busy);
}

/** The merge queue of all executions: the first one is being merged. */
export function mergeWords({ executions }: BoardView): string {
  const [first, ...waiting] = executions.flatMap(({ merging }) => merging);
  if (first === undefined) return "";
  return waiting.length > 0 ? `merging ${first}, then ${waiting.join(", ")}` : `merging ${first}`;
}
