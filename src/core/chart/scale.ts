/** A scale from 0 that includes the largest value, with about `marks` marks. */
export function scaleTo(most: number, length: number, { marks = 5, whole = false } = {}) {
  const safe = Number.isFinite(most) && most > 0 ? most : 1;
  const step = Math.max(roundStep(safe / marks), whole ? 1 : 0);
  const steps = Math.max(1, Math.ceil(safe / step - 1e-9));
  const end = steps * step;
  return {
    end,
    marks: Array.from({ length: steps + 1 }, (_, i) => Number((i * step).toPrecision(12))),
    at: (value: number): number => (Math.min(Math.max(value, 0), end) / end) * length,
  };
}

/** The next larger 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}
