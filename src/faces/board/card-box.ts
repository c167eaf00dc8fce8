import { dollars } from "../../core/usage.ts";
import type { Card } from "../../core/view/card.ts";
import { ageWords } from "../../core/view/clock.ts";
import { cellsOf, wrapCells } from "../terminal/cells.ts";
import type { Row } from "../terminal/frame.ts";
import { paint, paintTone } from "../terminal/paint.ts";
import { at, bold, dim, ends, inverse } from "./style.ts";

const TALL_SCREEN = 40;
/** The rows of a card, with its borders: a tall screen has room for a second line of the title. */
export const cardHeight = (screenRows: number): number => (screenRows >= TALL_SCREEN ? 7 : 6);

const LIGHT = { top: "┌─┐", side: "│", bottom: "└─┘" };
/** Marks the selected one where there are no colours. */
const HEAVY = { top: "┏━┓", side: "┃", bottom: "┗━┛" };

interface Box {
  x: number;
  width: number;
  selected: boolean;
}

interface Look {
  nowMs: number;
  /** With its borders. */
  height: number;
}

/** Lines in a box. Each has a text at the left and one at the right; the right border has a column of its own. */
export function boxRows(
  { x, width, selected }: Box,
  lines: readonly (readonly [left: string, right: string])[],
): Row[] {
  const form = selected ? HEAVY : LIGHT;
  const edge = (text: string) => (selected ? bold(paint("cyan", text)) : dim(text));
  const straight = ([begin = "", line = "", end = ""]: string) => [at(x, edge(begin + line.repeat(width - 2) + end))];
  const inside = lines.map(([left, right]) => [
    at(x, edge(form.side)),
    ...ends({ x: x + 2, width: width - 4, left, right }),
    at(x + width - 1, edge(form.side)),
  ]);
  return [straight(form.top), ...inside, straight(form.bottom)];
}

/** A card as the document draws it: id, title, a rule, and what it does. */
export function cardRows(card: Card, box: Box, { nowMs, height }: Look): Row[] {
  const inner = box.width - 4;
  const badge = paintTone(card.tone, card.badge);
  const criteria = card.proved ? `${card.proved.proved}/${card.proved.of}` : "";
  const age = ageWords(card.sinceMs, nowMs);
  const cost = card.costUsd > 0 ? `${dollars(card.costUsd)} ` : "";
  const fits = cellsOf(card.badge) + 1 + criteria.length <= inner;
  // The id is never cut for what is beside it.
  const rest = [fits ? `${cost}${age}` : `${criteria} ${age}`, age];
  const id = box.selected ? inverse(bold(card.id)) : bold(card.id);
  return boxRows(box, [
    [id, dim(rest.find((text) => cellsOf(card.id) + 1 + text.length <= inner) ?? "")],
    ...titleLines(card.title, inner, height - 5).map((line) => [line, ""] as const),
    [dim("─".repeat(inner)), ""],
    [badge + whyWords(card, inner - (fits ? criteria.length : 0)), fits ? paintTone(criteriaTone(card), criteria) : ""],
  ]);
}

const criteriaTone = ({ proved }: Card) => (proved && proved.proved === proved.of ? "good" : "plain");

/** Less of it says nothing. */
const LEAST_WHY = 8;

/** What is in its way, where there is room for it. */
const whyWords = ({ badge, why }: Card, cells: number): string =>
  why === "" || cells - cellsOf(badge) < LEAST_WHY ? "" : dim(`: ${why}`);

/** A title on exactly that many lines. */
function titleLines(title: string, cells: number, count: number): string[] {
  const lines = wrapCells(title, cells).split("\n");
  const last = lines.slice(count - 1).join(" ");
  return Array.from({ length: count }, (_, i) => (i < count - 1 ? (lines[i] ?? "") : last));
}
