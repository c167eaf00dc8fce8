import type { LoopState } from "../loop/state.ts";
import { isLevel, type Level } from "./level.ts";

/** The proof level of a stopped loop; null: it was not completed. */
export const proofOf = (reason: string | null | undefined): Level | null => (isLevel(reason) ? reason : null);

/** The text after the level of a completed loop: how the number of tests changed, and what weakens the proof. */
export const besideLevel = (state: LoopState): readonly string[] => {
  const grew = proofOf(state.stopped?.reason) ? state.turn?.verdict?.grew : undefined;
  return [...(grew ? [grew] : []), ...weakIn(state)];
};

/** What weakens the proof of a completed loop, in words. */
export const weakIn = ({ stopped, turn }: LoopState): readonly string[] =>
  proofOf(stopped?.reason) ? (turn?.verdict?.weak ?? []) : [];
