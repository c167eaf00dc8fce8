import type { CriterionLine, StageLine } from "./task-page.ts";
import type { Tone } from "./tones.ts";

/** A mark for each tone, so that no meaning depends on a colour alone. */
export const TONE_MARKS: Readonly<Record<Tone, string>> = {
  good: "✓",
  bad: "✗",
  warn: "!",
  active: "▸",
  plain: "•",
  dim: "·",
};

export const CRITERION_LOOKS: Readonly<Record<CriterionLine["is"], { mark: string; tone: Tone }>> = {
  proved: { mark: "✓", tone: "good" },
  failing: { mark: "✗", tone: "bad" },
  open: { mark: "○", tone: "dim" },
};

export const STAGE_MARKS: Readonly<Record<StageLine["is"], string>> = {
  passed: "✓",
  failed: "✗",
  running: "▸",
  next: "○",
  skipped: "–",
};
