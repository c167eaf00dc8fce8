import { LANE_TITLES, LANES, type Lane } from "../../core/view/lanes.ts";
import { totalParts } from "../../core/view/totals.ts";
import type { Size } from "../terminal/alternate-screen.ts";
import { cellsOf, padCells } from "../terminal/cells.ts";
import type { Row, Segment } from "../terminal/frame.ts";
import { paintTone } from "../terminal/paint.ts";
import { cardHeight, cardRows } from "./card-box.ts";
import { panelHeight, panelRows, windowStart } from "./panel.ts";
import { type BoardState, cardsIn, lanesIn } from "./state.ts";
import { at, bold, dim, ends, inverse } from "./style.ts";

/** A narrower lane has no room for `🔄 Coder (3/15)` and the criteria. */
export const LEAST_LANE = 24;

/** Where a lane is drawn. */
export interface LanePlace {
  lane: Lane;
  x: number;
  width: number;
}

/** The lanes that are shown: all, or the one with the cursor and its neighbours. */
export function lanePlaces(lane: Lane, columns: number): LanePlace[] {
  const count = Math.max(1, Math.min(LANES.length, Math.floor((columns + 1) / (LEAST_LANE + 1))));
  const first = Math.max(0, Math.min(LANES.indexOf(lane) - Math.floor((count - 1) / 2), LANES.length - count));
  return LANES.slice(first, first + count).map((one, i) => {
    const x = Math.floor((i * (columns + 1)) / count);
    return { lane: one, x, width: Math.floor(((i + 1) * (columns + 1)) / count) - x - 1 };
  });
}

/** How many cards of a lane are shown. */
export const cardsThatFit = (state: BoardState, size: Size): number =>
  Math.max(1, Math.floor(laneHeight(state, size) / cardHeight(size.rows)));

/** The rows of the lanes' cards: without the header, the titles, the panel and the last line. */
function laneHeight(state: BoardState, size: Size): number {
  const hidden = lanePlaces(state.lane, size.columns).length < LANES.length ? 1 : 0;
  return size.rows - 3 - hidden - panelHeight(state, size);
}

/** The board without its last line. */
export function boardRows(state: BoardState, size: Size): Row[] {
  const places = lanePlaces(state.lane, size.columns);
  const height = laneHeight(state, size);
  const lanes = places.map((place, i) => laneRows(state, { ...place, isFirst: i === 0 }, size));
  const cards = Array.from({ length: height + 1 }, (_, y) => lanes.flatMap((rows) => rows[y] ?? []));
  const counts = places.length < LANES.length ? [countsRow(state, places, size)] : [];
  return [headerRow(state, size), ...counts, ...cards, ...panelRows(state, size)];
}

function headerRow(state: BoardState, { columns }: Size): Row {
  const { view, repository, spec, filter, cancelled } = state;
  const name = [
    bold(`ralph · ${repository}`),
    ...(spec === null ? [] : [`spec ${spec}`]),
    ...(filter === "" ? [] : [inverse(` /${filter} `)]),
    ...(cancelled ? [dim("including cancelled")] : []),
  ];
  const totals = totalParts(view.totals).map(({ text, tone }) => paintTone(tone, text));
  const right = totals.join(" · ");
  // What is left out of the lanes matters more than whose they are.
  const isCut = name.length > 1 && cellsOf(name.join("  ")) > columns - 3 - cellsOf(right);
  return ends({ x: 1, width: columns - 2, left: name.slice(isCut ? 1 : 0).join("  "), right });
}

/** The lanes beyond the edges, as counts. */
function countsRow(state: BoardState, places: readonly LanePlace[], { columns }: Size): Row {
  const lanes = lanesIn(state);
  const shown = places.map(({ lane }) => LANES.indexOf(lane));
  const count = (lane: Lane) => {
    const text = `${LANE_TITLES[lane]} ${lanes[lane].length}`;
    return lane === "blocked" && lanes[lane].length > 0 ? paintTone("bad", text) : dim(text);
  };
  const before = LANES.slice(0, shown[0]).map(count);
  const after = LANES.slice((shown.at(-1) ?? 0) + 1).map(count);
  const left = before.length > 0 ? `‹ ${before.join(dim(" · "))}` : "";
  const right = after.length > 0 ? `${after.join(dim(" · "))} ›` : "";
  return ends({ x: 1, width: columns - 2, left, right });
}

type ShownLane = LanePlace & { isFirst: boolean };

function laneRows(state: BoardState, { lane, x, width, isFirst }: ShownLane, size: Size): Row[] {
  const cards = lanesIn(state)[lane];
  const focused = lane === state.lane;
  const fit = cardsThatFit(state, size);
  const cursor = state.picks[lane]?.index ?? 0;
  const first = windowStart(cursor, cards.length, fit);
  const below = Math.max(0, cards.length - first - fit);
  const title = titleRow(state, { lane, x, width }, { count: cards.length, above: Math.max(0, first), below });
  if (cards.length === 0) return [title, ...emptyLane(state, { lane, x, width, isFirst })];
  const rows = cards.slice(first, first + fit).flatMap((card, i) => {
    const selected = focused && state.zone === "lanes" && first + i === cursor;
    return cardRows(card, { x, width, selected }, { nowMs: state.nowMs, height: cardHeight(size.rows) });
  });
  return [title, ...rows];
}

interface Counts {
  count: number;
  above: number;
  below: number;
}

function titleRow(state: BoardState, { lane, x, width }: LanePlace, { count, above, below }: Counts): Segment[] {
  const marks = [above > 0 ? `↑${above}` : "", below > 0 ? `↓${below}` : ""].filter(Boolean).join(" ");
  const name = ` ${LANE_TITLES[lane]} ${count}`;
  const space = width - cellsOf(marks) - 1;
  const title = `${padCells(name, space)}${marks} `;
  if (lane === state.lane && state.zone === "lanes") return [at(x, inverse(bold(title)))];
  return [at(x, lane === "blocked" && count > 0 ? bold(paintTone("bad", title)) : bold(title))];
}

/** Where the whole board is empty, the first lane says what to do. */
function emptyLane(state: BoardState, { x, width, isFirst }: ShownLane): Row[] {
  const isEmpty = cardsIn(state).length === 0;
  if (!isEmpty || !isFirst) return [[at(x + 1, dim("–"))]];
  const text =
    state.filter !== ""
      ? [`No task has`, `“${state.filter}”.`, "Esc clears the filter."]
      : [
          "No tasks yet.",
          "",
          "Create one with",
          "ralph task add",
          "import them with",
          "ralph task import",
          "and run them with",
          "ralph execute",
        ];
  return text.map((line) => [
    at(
      x + 1,
      line.startsWith("ralph") ? bold(padCells(line, width - 2).trimEnd()) : dim(padCells(line, width - 2).trimEnd()),
    ),
  ]);
}
