import type { BoardView } from "./board.ts";
import type { Card } from "./card.ts";
import type { LoopLine } from "./loop-line.ts";

/** What an agent works on, or could: a slot of an execution, a task outside of slots, or a loop outside of tasks. */
export type AgentRow = SlotRow | { is: "task"; card: Card; sinceMs: number } | { is: "loop"; loop: LoopLine };

/** A slot of an execution; free without a card. */
export interface SlotRow {
  is: "slot";
  n: number;
  execution: string;
  card: Card | null;
  /** Since when its task has been at this stage; null: it is free. */
  sinceMs: number | null;
}

const known = new WeakMap<BoardView, readonly AgentRow[]>();

/** All of them: first what is worked on, then free slots, then loops whose process is gone. */
export function agentRows(view: BoardView): readonly AgentRow[] {
  const before = known.get(view);
  if (before) return before;
  const slots = slotRows(view);
  const inSlots = new Set(slots.flatMap(({ card }) => (card ? [card.id] : [])));
  const others = view.cards.filter(({ driven, id }) => driven && !inSlots.has(id));
  const loops = view.loops.filter(({ part, status }) => part === null && status !== "stopped");
  const rows: AgentRow[] = [
    ...slots.filter(({ card }) => card),
    ...others.map((card): AgentRow => ({ is: "task", card, sinceMs: card.sinceMs })),
    ...loops.filter(({ driven }) => driven).map((loop): AgentRow => ({ is: "loop", loop })),
    ...slots.filter(({ card }) => !card),
    ...loops.filter(({ driven }) => !driven).map((loop): AgentRow => ({ is: "loop", loop })),
  ];
  known.set(view, rows);
  return rows;
}

/** The slots of all executions, or of one, in their order. */
export function slotRows({ cards, executions }: BoardView, execution?: string): readonly SlotRow[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  return executions
    .filter(({ id }) => execution === undefined || id === execution)
    .flatMap(({ id, slots }) =>
      slots.flatMap((slot, i): SlotRow[] => {
        const card = (slot && byId.get(slot.task)) ?? null;
        // With a task that the view leaves out, it is not free.
        if (slot && !card) return [];
        // A stage that is continued began in an earlier execution.
        const sinceMs = card && slot ? Math.max(card.sinceMs, slot.sinceMs) : null;
        return [{ is: "slot", n: i + 1, execution: id, card, sinceMs }];
      }),
    );
}

/** Whether an agent works on it. */
export const isBusy = (row: AgentRow): boolean => (row.is === "loop" ? row.loop.driven : row.card !== null);

/** How many agents work, of how many slots there are: `3 of 4`. */
export function busyWords(view: BoardView): string {
  const rows = agentRows(view);
  const busy = rows.filter(isBusy).length;
  const free = rows.filter((row) => row.is === "slot" && row.card === null).length;
  return free > 0 ? `${busy} of ${busy + free}` : String(busy);
}

/** The tasks that wait to be merged, of all executions; the first one is being merged. */
export const mergeQueue = ({ executions }: Pick<BoardView, "executions">): readonly string[] =>
  executions.flatMap(({ merging }) => merging);

/** The same in words: `merging T-1, then T-2`. */
export function mergeQueueWords(view: BoardView): string {
  const [first, ...waiting] = mergeQueue(view);
  if (first === undefined) return "";
  return waiting.length > 0 ? `merging ${first}, then ${waiting.join(", ")}` : `merging ${first}`;
}
