import type { StopReason } from "../loop/events.ts";
import { stopFacts } from "../loop/stop-reasons.ts";
import { LEVEL_WORDS, type Level } from "../proof/level.ts";
import type { Tone } from "./lanes.ts";

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
