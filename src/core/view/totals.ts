import { dollars } from "../usage.ts";
import type { Card } from "./card.ts";
import type { LoopLine } from "./loop-line.ts";
import type { Tone } from "./tones.ts";

export interface Totals {
  merged: number;
  /** All tasks that are not cancelled or proposed. */
  of: number;
  blocked: number;
  waitingForPerson: number;
  /** What is worked on: tasks, and loops outside of tasks. */
  running: number;
  costUsd: number;
}

export function totalsOf(cards: readonly Card[], loops: readonly LoopLine[]): Totals {
  const counted = cards.filter(({ status }) => status !== "cancelled" && status !== "proposed");
  const alone = loops.filter(({ part }) => part === null);
  return {
    merged: counted.filter(({ status }) => status === "done").length,
    of: counted.length,
    blocked: counted.filter(({ status }) => status === "blocked").length,
    waitingForPerson: cards.filter(waitsForPerson).length,
    running: cards.filter(({ driven }) => driven).length + alone.filter(({ driven }) => driven).length,
    costUsd: cards.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

/** Blocked, proposed by an agent, or held. */
const waitsForPerson = ({ status, held }: Card): boolean => status === "blocked" || status === "proposed" || held;

/** The tasks that wait for the user, blocked ones first. */
export const waitingForPerson = (cards: readonly Card[]): readonly Card[] =>
  cards.filter(waitsForPerson).sort((a, b) => Number(b.status === "blocked") - Number(a.status === "blocked"));

/** One of the totals in words. */
export interface TotalPart {
  name: "merged" | "running" | "blocked" | "waiting" | "cost";
  text: string;
  tone: Tone;
}

/** The totals in words, in the order in which every face shows them; zeros are left out. */
export function totalParts({ merged, of, running, blocked, waitingForPerson, costUsd }: Totals): readonly TotalPart[] {
  const parts: (TotalPart & { isShown: boolean })[] = [
    { name: "merged", text: `${merged}/${of} merged`, tone: "plain", isShown: true },
    { name: "running", text: `${running} running`, tone: "active", isShown: running > 0 },
    { name: "blocked", text: `${blocked} blocked`, tone: "bad", isShown: blocked > 0 },
    { name: "waiting", text: `${waitingForPerson} waiting for you`, tone: "warn", isShown: waitingForPerson > 0 },
    { name: "cost", text: dollars(costUsd), tone: "plain", isShown: costUsd > 0 },
  ];
  return parts.filter(({ isShown }) => isShown).map(({ isShown: _, ...part }) => part);
}
