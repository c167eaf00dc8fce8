import { agentRows } from "../../core/view/agent-rows.ts";
import { type BoardView, type Lanes, lanesOf } from "../../core/view/board.ts";
import type { Card } from "../../core/view/card.ts";
import { matchingCards } from "../../core/view/filter.ts";
import { LANES, type Lane } from "../../core/view/lanes.ts";
import type { Tone } from "../../core/view/tones.ts";
import type { Action } from "./action.ts";
import type { Page } from "./page.ts";

/** The selected card of a lane, and its place there, for when it is gone. */
interface Picked {
  id: string;
  index: number;
}

/** Something that is done only when the user chooses it. */
export interface Choice {
  key: string;
  /** What it does, naming what is stopped. */
  label: string;
  action: Action;
}

/** A question at the bottom of the screen: what to do, or whether to do the one choice. */
export interface Question {
  title: string;
  choices: readonly Choice[];
  /** Whether `y` does the choice; otherwise its key is asked for, and then `y`. */
  sure: boolean;
}

export interface BoardState {
  view: BoardView;
  repository: string;
  /** The view has only the tasks of this spec. */
  spec: string | null;
  nowMs: number;
  zone: "lanes" | "agents";
  lane: Lane;
  picks: Readonly<Partial<Record<Lane, Picked | undefined>>>;
  /** The selected line of the agent panel. */
  entry: number;
  filter: string;
  /** Whether the filter is being typed. */
  typing: boolean;
  /** Whether cancelled tasks are shown. */
  cancelled: boolean;
  /** The last one is on top of the board. */
  pages: readonly Page[];
  question: Question | null;
  message: { text: string; tone: Tone } | null;
}

export const openingState = (view: BoardView, given: Pick<BoardState, "repository" | "spec" | "nowMs">): BoardState =>
  settled({
    ...{ view, zone: "lanes", lane: firstLane(view), picks: {}, entry: 0, filter: "", typing: false, cancelled: false },
    ...{ pages: [], question: null, message: null },
    ...given,
  });

/** Where something happens, or else the first lane with a task. */
function firstLane({ cards }: BoardView): Lane {
  const active = cards.find(({ driven, lane }) => driven && lane !== null);
  return active?.lane ?? LANES.find((one) => cards.some(({ lane }) => lane === one)) ?? "todo";
}

type Chosen = Pick<BoardState, "view" | "filter" | "cancelled">;

/** Sorting and filtering is repeated only when the cards or the filter change. */
const known = new WeakMap<readonly Card[], { key: string; cards: readonly Card[]; lanes: Lanes }>();

function chosen({ view, filter, cancelled }: Chosen) {
  const key = JSON.stringify([filter, cancelled]);
  const before = known.get(view.cards);
  if (before?.key === key) return before;
  const cards = matchingCards(view.cards, filter).filter(({ lane }) => cancelled || lane !== null);
  const found = { key, cards, lanes: lanesOf(cards, { cancelled }) };
  known.set(view.cards, found);
  return found;
}

/** The cards of each lane that pass the filter. */
export const lanesIn = (state: Chosen): Lanes => chosen(state).lanes;
export const cardsIn = (state: Chosen): readonly Card[] => chosen(state).cards;

/** The card with the cursor. */
export function cardAt(state: BoardState): Card | null {
  const pick = state.picks[state.lane];
  return lanesIn(state)[state.lane][pick?.index ?? 0] ?? null;
}

/** The state with a cursor that is on something: it follows its card to another lane. */
export function settled(state: BoardState): BoardState {
  const lanes = lanesIn(state);
  const { picks } = state;
  let { lane } = state;
  const next: Partial<Record<Lane, Picked | undefined>> = {};
  for (const one of LANES) next[one] = pickIn(lanes[one], picks[one]);
  const focused = picks[lane];
  if (focused && next[lane]?.id !== focused.id) {
    const moved = LANES.find((one) => lanes[one].some(({ id }) => id === focused.id));
    if (moved) {
      lane = moved;
      next[moved] = pickIn(lanes[moved], focused);
    }
  }
  if (lanes[lane].length === 0 && state.filter !== "") lane = LANES.find((one) => lanes[one].length > 0) ?? lane;
  const last = Math.max(0, agentRows(state.view).length - 1);
  return { ...state, lane, picks: next, entry: Math.min(state.entry, last) };
}

function pickIn(cards: readonly Card[], before: Picked | undefined): Picked | undefined {
  if (cards.length === 0) return undefined;
  const index = before ? cards.findIndex(({ id }) => id === before.id) : 0;
  const clamped = index >= 0 ? index : Math.min(before?.index ?? 0, cards.length - 1);
  const card = cards[clamped];
  return card && { id: card.id, index: clamped };
}
