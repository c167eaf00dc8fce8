import type { Tone } from "../../../core/view/lanes.ts";

/** A mark for each tone, so that no meaning depends on a colour alone. */
export const MARKS: Readonly<Record<Tone, string>> = {
  good: "✓",
  bad: "✗",
  warn: "!",
  active: "●",
  plain: "•",
  dim: "–",
};
