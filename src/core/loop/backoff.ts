import type { Trouble } from "../agent.ts";

const STEPS: Partial<Record<Trouble, { firstMs: number; mostMs: number }>> = {
  "rate-limited": { firstMs: 60_000, mostMs: 30 * 60_000 },
  overloaded: { firstMs: 2_000, mostMs: 5 * 60_000 },
  network: { firstMs: 2_000, mostMs: 5 * 60_000 },
};

/**
 * The wait after the `times`-th consecutive trouble of one kind, or null to retry immediately.
 * `jitter` in [0, 1) spreads loops that hit the same limit over the upper half of the step.
 */
export function backoffMs(why: Trouble, times: number, jitter: number): number | null {
  const step = STEPS[why];
  if (!step) return null;
  const full = Math.min(step.mostMs, step.firstMs * 2 ** Math.min(times - 1, 20));
  return Math.round(full * (0.5 + jitter / 2));
}
