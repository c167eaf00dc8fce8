import { LEVEL_WORDS, LEVELS } from "../../../core/proof/level.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";
import { levelTone } from "../../../core/view/tones.ts";

/** How many loops completed with each level of proof, the strongest first. */
export const verdicts = (loops: readonly LoopLine[]) =>
  LEVELS.map((level) => {
    const { mark, means } = LEVEL_WORDS[level];
    return { level, mark, means, tone: levelTone(level), count: loops.filter(({ proof }) => proof === level).length };
  });
