import { formatDuration, parseDuration } from "../duration.ts";
import type { OptionValue } from "../option-values.ts";

/** The start of a report: so long ago, or at a moment. */
export type Since = { agoMs: number } | { atMs: number };

const EXPECTED = "a duration such as 12h or 7d, or a date such as 2026-11-18 or 2026-11-18T22:00";
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A duration, or a date with or without a time; without a zone it is local. */
export function sinceIn(text: string): OptionValue<Since> {
  const agoMs = parseDuration(text);
  if (agoMs !== null) return agoMs > 0 ? { value: { agoMs } } : { expected: EXPECTED };
  const atMs = momentIn(text.trim());
  return atMs === null ? { expected: EXPECTED } : { value: { atMs } };
}

function momentIn(text: string): number | null {
  const [, year, month, day, hour = "00", minute = "00", second = "00", zone = ""] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  // `Date` takes 2026-02-30 for March: the day it has read must be the one that was written.
  const calendar = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(calendar.getTime()) || calendar.getUTCDate() !== Number(day)) return null;
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`).getTime();
  return Number.isNaN(moment) ? null : moment;
}

/** How long a report's time is: `12h`, `3 days`. */
export function spanWords(ms: number): string {
  const days = ms / 86_400_000;
  return days >= 2 ? `${Math.round(days)} days` : formatDuration(Math.max(0, ms)).replace(/ 0[ms]$/, "");
}
