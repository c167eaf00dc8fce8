import { type SlotRow, slotRows } from "../../../core/view/agent-rows.ts";
import type { BoardView } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { liveWords } from "../../../core/view/clock.ts";
import { scoped } from "../../../core/view/filter.ts";
import { type TotalPart, totalParts } from "../../../core/view/totals.ts";
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
  const totals = paint("dim", ` ${fitParts(footerParts(footer, nowMs), columns - 2)}`);
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

type BusySlot = SlotRow & { card: Card; sinceMs: number };

function busySlots({ view, pid }: Footer): BusySlot[] {
  const own = view.executions.find(({ holder }) => "pid" in holder && holder.pid === pid);
  return own ? slotRows(view, own.id).filter((row): row is BusySlot => row.card !== null) : [];
}

/** Narrow ids and badges make room for what the agent does. */
const MOST_ID = 24;

function slotLines(slots: readonly BusySlot[], nowMs: number, cells: number): string[] {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(cellsOf));
  const ids = Math.min(MOST_ID, widest(slots.map(({ card }) => card.id)));
  const badges = widest(slots.map(({ card }) => badgeOf(card)));
  return slots.map(({ n, card, sinceMs }) => {
    const now = liveWords(card, nowMs);
    const name = paint("bold", padCells(card.id, ids));
    const head = ` ${n} ${name} ${paintTone(card.tone, padCells(badgeOf(card), badges))}`;
    const doing = [head, ...(now.text || card.why ? [paintTone(now.tone, now.text || card.why)] : [])].join("  ");
    const whole = `${doing}  ${paint("dim", steadyDuration(nowMs - sinceMs))}`;
    return fitCells(cellsOf(whole) <= cells ? whole : doing, cells);
  });
}

/** That it works is clear here: its mark is left out. */
const badgeOf = ({ tone, badge, label }: Card): string => (tone === "active" ? label : badge);

interface Part {
  text: string;
  urgency: number;
}

const URGENCY: Readonly<Partial<Record<TotalPart["name"], number>>> = { merged: 4, blocked: 3, cost: 2 };

function footerParts({ view, only, spec, startedMs, spentUsd }: Footer, nowMs: number): Part[] {
  const { totals } = scoped(view, { only, spec });
  const own = { ...totals, costUsd: Math.max(0, totals.costUsd - spentUsd) };
  const parts = totalParts(own).flatMap(({ name, text }): Part[] => {
    const urgency = URGENCY[name];
    return urgency === undefined ? [] : [{ text, urgency }];
  });
  return [...parts, { text: steadyDuration(nowMs - startedMs), urgency: 1 }];
}

function fitParts(parts: readonly Part[], cells: number): string {
  const joined = parts.map(({ text }) => text).join(", ");
  if (cellsOf(joined) <= cells || parts.length === 1) return joined;
  const least = Math.min(...parts.map(({ urgency }) => urgency));
  return fitParts(
    parts.filter(({ urgency }) => urgency !== least),
    cells,
  );
}
