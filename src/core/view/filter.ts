import type { BoardView } from "./board.ts";
import type { Card } from "./card.ts";
import type { LoopLine } from "./loop-line.ts";
import { totalsOf } from "./totals.ts";

/** What users find a task by: id, title, spec, status and badge. */
const cardText = ({ id, title, spec, status, badge }: Card): string => `${id} ${title} ${spec} ${status} ${badge}`;

/** What users find a loop by: id, title, task, door and badge. */
const loopText = ({ id, title, part, door, badge }: LoopLine): string =>
  `${id} ${title} ${part?.task ?? ""} ${door} ${badge}`;

export const matchingCards = (cards: readonly Card[], query: string): readonly Card[] =>
  matching(cards, query, cardText);

export const matchingLoops = (loops: readonly LoopLine[], query: string): readonly LoopLine[] =>
  matching(loops, query, loopText);

/** Every word of the query must occur. */
function matching<Item>(items: readonly Item[], query: string, textOf: (item: Item) => string): readonly Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Which tasks are meant; null: all. */
export interface Scope {
  spec: string | null;
  only?: readonly string[] | null;
}

/** The view with some of its tasks, and the loops outside of tasks. */
export function scoped(view: BoardView, { spec, only = null }: Scope): BoardView {
  if (spec === null && only === null) return view;
  const cards = view.cards.filter(
    (card) => (spec === null || card.spec === spec) && (only === null || only.includes(card.id)),
  );
  const ids = new Set(cards.map(({ id }) => id));
  const loops = view.loops.filter(({ part }) => part === null || ids.has(part.task));
  return { ...view, cards, loops, totals: totalsOf(cards, loops) };
}
