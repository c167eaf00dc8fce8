import type { ToCompletion } from "./stats.ts";

interface Bin {
  from: number;
  to: number;
}

const ONE_BY_ONE = 15;
const MOST_BINS = 8;

export function binsUpTo(max: number): Bin[] {
  if (max <= ONE_BY_ONE) return Array.from({ length: Math.max(1, max) }, (_, i) => ({ from: i + 1, to: i + 1 }));
  const step = [2, 5, 10, 20, 50, 100, 200, 500].find((one) => max / one <= MOST_BINS) ?? Math.ceil(max / MOST_BINS);
  return Array.from({ length: Math.ceil(max / step) }, (_, i) => ({ from: i * step + 1, to: (i + 1) * step }));
}

export const inBin = ({ counts }: ToCompletion, { from, to }: Bin): number =>
  counts.reduce((sum, { iterations, loops }) => sum + (iterations >= from && iterations <= to ? loops : 0), 0);

export const binName = ({ from, to }: Bin): string => (from === to ? String(from) : `${from}–${to}`);
