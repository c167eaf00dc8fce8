import { addUsage, type Usage } from "../usage.ts";

/** Turns whose cost is unknown, because the record of it is lost. */
export interface UnknownCost {
  turns: number;
  /** Turns that were cut short: their tokens are known, their cost in dollars is not. */
  unpriced: number;
  /** How many of `turns` are in the current session: the session's total covers them. */
  inSession: number;
  /** How many of `turns` the user accepted by resuming the stopped loop. */
  accepted: number;
  /** The highest known cost of a turn, for each figure separately. */
  most: Usage;
}

/** The known cost, plus the highest known cost of a turn for every turn with unknown cost. */
export function chargedUsage({ spent, unknownCost: { turns, unpriced, most } }: Costs): Usage {
  let charged = { ...spent, costUsd: spent.costUsd + unpriced * most.costUsd };
  for (let turn = 0; turn < turns; turn++) charged = addUsage(charged, most);
  return charged;
}

interface Costs {
  spent: Usage;
  unknownCost: UnknownCost;
}

/** Whether a figure cannot be estimated: it is unknown for a turn, and not known for any other turn either. */
export const isBlind = ({ unknownCost: { turns, accepted, most } }: Costs, of: (usage: Usage) => number): boolean =>
  turns > accepted && of(most) === 0;

/** For display; null if everything is known. */
export const unknownCostWords = ({ unknownCost: { turns: whole, unpriced } }: Costs): string | null => {
  const turns = whole + unpriced;
  if (turns === 0) return null;
  return turns === 1 ? "the cost of 1 turn is not known" : `the cost of ${turns} turns is not known`;
};
