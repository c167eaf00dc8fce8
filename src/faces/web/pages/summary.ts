import { LEVEL_WORDS, LEVELS, type Level } from "../../../core/proof/level.ts";
import type { Card } from "../../../core/view/card.ts";
import type { Tone } from "../../../core/view/lanes.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";

/** What loops that worked since then have cost. */
export const spentSince = (loops: readonly LoopLine[], sinceMs: number): number =>
  loops
    .filter(({ updatedMs, driven }) => driven || updatedMs >= sinceMs)
    .reduce((sum, { costUsd }) => sum + costUsd, 0);

/** Blocked, held and proposed tasks, as the totals count them; blocked ones first. */
export const waitingForPerson = (cards: readonly Card[]): readonly Card[] =>
  cards
    .filter(({ status, held }) => status === "blocked" || status === "proposed" || held)
    .sort((a, b) => Number(b.status === "blocked") - Number(a.status === "blocked"));

const TONES: Readonly<Record<Level, Tone>> = {
  verified: "good",
  judged: "good",
  "still-green": "warn",
  "promise-only": "warn",
};

/** How many loops completed with each level of proof, the strongest first. */
export const verdicts = (loops: readonly LoopLine[]) =>
  LEVELS.map((level) => {
    const { mark, means } = LEVEL_WORDS[level];
    return { level, mark, means, tone: TONES[level], count: loops.filter(({ proof }) => proof === level).length };
  });
