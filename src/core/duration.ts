const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `5m`, `2h`, `500ms`; a bare number is seconds. Null for anything else. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? null : Number(amount) * (UNITS_MS[unit] ?? 0);
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
