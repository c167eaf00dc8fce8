const UNITS_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, min: 60_000, m: 60_000, s: 1_000, ms: 1 };
const WHOLE = /^(?:\d+(?:\.\d+)?\s*(?:ms|min|s|m|h|d)\s*)+$/;
const PART = /(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)/g;

/** `90s`, `5m` or `5min`, `1h30m`, `500ms`; a bare number is seconds. Null for anything else. */
export function parseDuration(text: string): number | null {
  const typed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(typed)) return Number(typed) * 1_000;
  if (!WHOLE.test(typed)) return null;
  const sizes: number[] = [];
  let ms = 0;
  for (const [, amount, unit = ""] of typed.matchAll(PART)) {
    const size = UNITS_MS[unit] ?? 0;
    // `30m1h` and `5m5m` are typing errors.
    if (size >= (sizes.at(-1) ?? Number.POSITIVE_INFINITY)) return null;
    sizes.push(size);
    ms += Number(amount) * size;
  }
  return ms;
}

/** A duration as an option takes it, in its largest whole unit: `90s`, `4h`. */
export function durationFlag(ms: number): string {
  const [unit, size] = Object.entries({ h: 3_600_000, m: 60_000 }).find(([, one]) => ms % one === 0) ?? ["s", 1_000];
  return `${ms / size}${unit}`;
}

/** A duration for display: `3s`, `5m 23s`, `2h 4m`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** The same for a round limit: `5m` rather than `5m 0s`. */
export const timeWords = (ms: number): string => formatDuration(ms).replace(/ 0[ms]$/, "");
