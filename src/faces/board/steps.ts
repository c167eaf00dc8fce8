import type { Key } from "../terminal/keys.ts";

const STEPS: Readonly<Record<string, -1 | 1>> = {
  left: -1,
  h: -1,
  right: 1,
  l: 1,
  up: -1,
  k: -1,
  down: 1,
  j: 1,
};

/** How far a key moves the cursor in a list: a step, a page, or to an end. Null: it does not move it. */
export function stepsOf(key: Key, page: number): number | null {
  const step = STEPS[key];
  if (step !== undefined) return step;
  if (key === "page-down" || key === "ctrl-f" || key === " ") return page;
  if (key === "page-up" || key === "ctrl-b") return -page;
  if (key === "G" || key === "end") return Number.POSITIVE_INFINITY;
  return key === "g" || key === "home" ? Number.NEGATIVE_INFINITY : null;
}
