import { dollars } from "../../../core/usage.ts";
import { type BoardView, totalsOf } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { nowWords } from "../../../core/view/clock.ts";
import type { Size } from "../../terminal/alternate-screen.ts";
import { cellsOf, fitCells, padCells } from "../../terminal/cells.ts";
import { paint, paintTone } from "../../terminal/paint.ts";
import { steadyDuration } from "./status-line.ts";

/** What the footer of an execution is about. */
export interface Footer {
  view: BoardView;
  /** The process of the execution. */
  pid: number;
  startedMs: number;
  /** The tasks that it may take; null: all. */
  only: readonly string[] | null;
  spec: string | null;
  /** What its tasks had cost before it began. */
  spentUsd: number;
}

/** The footer of an execution: a line for each busy slot, then totals. It never takes more than a third of the screen. */
export function footerLines(footer: Footer, nowMs: number, { columns, rows }: Size): string[] {
  const slots = busySlots(footer);
  const totals = paint("dim", ` ${fitParts(totalsParts(footer, nowMs), columns - 2)}`);
  const most = Math.floor(rows / 3) - 1;
  if (most < 1) return [totals];
  const shown = slots.length > most ? slots.slice(0, most - 1) : slots;
  const more = slots.length - shown.length;
  return [
    ...slotLines(shown, nowMs, columns - 1),
    ...(more > 0 ? [paint("dim", shown.length > 0 ? ` and ${more} more` : ` ${more} at work`)] : []),
    totals,
  ];
}

interface BusySlot {
  n: number;
  card: Card;
  /** Since when it has been at this stage. A stage that is continued began in an earlier execution. */
  sinceMs: number;
}

function busySlots({ view, pid }: Footer): BusySlot[] {
  const own = view.executions.find(({ holder }) => "pid" in holder && holder.pid === pid);
  const cards = new Map(view.cards.map((card) => [card.id, card]));
  return (own?.slots ?? []).flatMap((slot, i) => {
    const card = slot && cards.get(slot.task);
    return card ? [{ n: i + 1, card, sinceMs: Math.max(card.sinceMs, slot.sinceMs) }] : [];
  });
}

/** Narrow ids and badges make room for what the agent does. */
const MOST_ID = 24;

function slotLines(slots: readonly BusySlot[], nowMs: number, cells: number): string[] {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(cellsOf));
  const ids = Math.min(MOST_ID, widest(slots.map(({ card }) => card.id)));
  const badges = widest(slots.map(({ card }) => badgeOf(card)));
  return slots.map(({ n, card, sinceMs }) => {
    const now = nowWords(card, nowMs);
    const name = paint("bold", padCells(card.id, ids));
    const head = ` ${n} ${name} ${paintTone(card.tone, padCells(badgeOf(card), badges))}`;
    const doing = [head, ...(now.text || card.why ? [paintTone(now.tone, now.text || card.why)] : [])].join("  ");
    const whole = `${doing}  ${paint("dim", steadyDuration(nowMs - sinceMs))}`;
    return fitCells(cellsOf(whole) <= cells ? whole : doing, cells);
  });
}

/** That it works is clear here: its mark is left out. */
const badgeOf = ({ badge }: Card): string => badge.replace(/^🔄 /u, "");

interface Part {
  text: string;
  urgency: number;
}

function totalsParts({ view, only, spec, startedMs, spentUsd }: Footer, nowMs: number): Part[] {
  const totals = totalsOf(scopeOf(view, { only, spec }), []);
  const costUsd = Math.max(0, totals.costUsd - spentUsd);
  return [
    { text: `${totals.merged}/${totals.of} merged`, urgency: 4 },
    ...(totals.blocked > 0 ? [{ text: `${totals.blocked} blocked`, urgency: 3 }] : []),
    ...(costUsd > 0 ? [{ text: dollars(costUsd), urgency: 2 }] : []),
    { text: steadyDuration(nowMs - startedMs), urgency: 1 },
  ];
}

/** The tasks that an execution may take. */
export const scopeOf = ({ cards }: BoardView, { only, spec }: Pick<Footer, "only" | "spec">): readonly Card[] =>
  cards.filter(({ id, spec: of }) => (only === null || only.includes(id)) && (spec === null || of === spec));

function fitParts(parts: readonly Part[], cells: number): string {
  const joined = parts.map(({ text }) => text).join(", ");
  if (cellsOf(joined) <= cells || parts.length === 1) return joined;
  const least = Math.min(...parts.map(({ urgency }) => urgency));
  return fitParts(
    parts.filter(({ urgency }) => urgency !== least),
    cells,
  );
}
