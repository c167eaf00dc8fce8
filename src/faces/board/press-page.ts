import type { Size } from "../terminal/alternate-screen.ts";
import type { Key } from "../terminal/keys.ts";
import { anchorOf, pageHeight, topOf } from "./frame.ts";
import { openItem, type Page } from "./page.ts";
import { pageLines } from "./page-lines.ts";
import type { BoardState } from "./state.ts";
import { stepsOf } from "./steps.ts";

/** Keys on a page: scrolling, an iteration of a loop, and the way back. */
export function pressPage(state: BoardState, page: Page, { key, size }: { key: Key; size: Size }): BoardState {
  const below = state.pages.slice(0, -1);
  if (key === "escape" || key === "backspace" || (page.is !== "loop" && key === "left"))
    return { ...state, pages: below };
  const height = pageHeight(size);
  const steps = stepsOf(key, height);
  if (steps === null) return state;
  // An open iteration may be longer than the screen: it is scrolled by screens.
  const isMove = page.is === "loop" && Math.abs(steps) !== height;
  return { ...state, pages: [...below, isMove ? loopMoved(page, steps) : scrolled(state, page, { steps, size })] };
}

interface Scroll {
  steps: number;
  size: Size;
}

function scrolled({ nowMs }: BoardState, page: Page, { steps, size }: Scroll): Page {
  const { lines, cursor } = pageLines(page, { columns: size.columns, nowMs });
  const extent = { count: lines.length, height: pageHeight(size), cursor };
  const last = Math.max(0, extent.count - extent.height);
  const line = Math.max(0, Math.min(topOf(page, extent) + steps, last));
  const top = line - anchorOf(extent);
  return page.is === "text" ? { ...page, top, follows: page.kind === "output" && line === last } : { ...page, top };
}

function loopMoved(page: Page & { is: "loop" }, steps: number): Page {
  const timeline = page.page?.timeline ?? [];
  const item = timeline[Math.max(0, Math.min(openItem(page) + steps, timeline.length - 1))] ?? null;
  return { ...page, item: item && { n: item.n, attempt: item.attempt }, top: 0 };
}
