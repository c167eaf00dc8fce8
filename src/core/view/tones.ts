import type { StopReason } from "../loop/events.ts";
import { stopFacts } from "../loop/stop-reasons.ts";
import { LEVEL_WORDS, type Level } from "../proof/level.ts";

/** How a text is emphasised; each face has a colour for it. */
export type Tone = "plain" | "active" | "good" | "warn" | "bad" | "dim";

/** The tone of each colour of the command line. */
const TONES: Readonly<Record<ReturnType<typeof stopFacts>["tone"], Tone>> = {
  green: "good",
  cyan: "good",
  yellow: "warn",
  magenta: "warn",
  bold: "plain",
  red: "bad",
};

export const reasonTone = (reason: StopReason): Tone => TONES[stopFacts(reason).tone];

export const levelTone = (level: Level): Tone => TONES[LEVEL_WORDS[level].tone];

/** The badge of something that completed with a proof: `✓ verified`. */
export const levelBadge = (level: Level): { badge: string; tone: Tone } => ({
  badge: `${LEVEL_WORDS[level].mark} ${level}`,
  tone: levelTone(level),
});
