import { addUsage, type Usage } from "../usage.ts";

/** Turns whose cost is not known, because the record of it is gone. */
export interface UnknownCost {
  turns: number;
  /** Turns that ended before their time, whose tokens are known and whose dollars are not. */
  unpriced: number;
  /** How many of `turns` are in the current session: the session's total covers them. */
  inSession: number;
  /** How many the user knew about when resuming the stopped loop. */
  accepted: number;
  /** The most that any turn is known to have cost, each figure by itself. */
  most: Usage;
}

/** What is known to be spent, with the highest known cost of a turn for every turn whose own is not known. */
export function chargedUsage({ spent, unknownCost: { turns, unpriced, most } }: Costs): Usage {
  let charged = { ...spent, costUsd: spent.costUsd + unpriced * most.costUsd };
  for (let turn = 0; turn < turns; turn++) charged = addUsage(charged, most);
  return charged;
}

interface Costs {
  spent: Usage;
  unknownCost: UnknownCost;
}

/** Whether a figure says nothing: a turn's is not known, and neither is any other's to measure it by. */
export const isBlind = ({ unknownCost: { turns, accepted, most } }: Costs, of: (usage: Usage) => number): boolean =>
  turns > accepted && of(most) === 0;

/** In words for people; null where everything is known. */
export const unknownCostWords = ({ unknownCost: { turns: whole, unpriced } }: Costs): string | null => {
  const turns = whole + unpriced;
  if (turns === 0) return null;
  return turns === 1 ? "the cost of 1 turn is not known" : `the cost of ${turns} turns is not known`;
};
