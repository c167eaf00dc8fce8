const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNIT_MS: Record<string, number> = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: 1_000, ms: 1 };

/** No agent's limit lasts longer than a month: a later time was misread. */
const LONGEST_MS = 32 * DAY_MS;

/** A limit may last longer than announced: a time of day that has just passed does not mean the next day. */
const OVERDUE_MS = HOUR_MS;

/** The end of a limit in an agent's message; null if there is none or it has passed. */
export function resetTimeIn(message: string, nowMs: number): number | null {
  const found = epochIn(message) ?? delayIn(message, nowMs) ?? instantIn(message) ?? clockTimeIn(message, nowMs);
  return found === null ? null : credible(found, nowMs);
}

/** The time if it is plausible as the end of a limit, or null. */
export const credible = (ms: number, nowMs: number): number | null =>
  ms > nowMs && ms < nowMs + LONGEST_MS ? ms : null;

/** `usage limit reached|1762952400` */
function epochIn(message: string): number | null {
  const [, seconds] = /\|(\d{10})(?:\d{3})?\b/.exec(message) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:days?|d|hours?|h|ms|minutes?|min|m|seconds?|sec|s)(?![a-z]),?\s*`;
const DELAY = new RegExp(
  String.raw`(?:try again in|reset after|resets in|retry[-_ ]?(?:after|delay|in)"?\s*[:=]?)\s*"?((?:${AMOUNT})+)`,
  "i",
);

/** `try again in 5 days 22 hours 11 minutes`, `reset after 8h44m7s`, `"retryDelay": "34.07s"`, `retry-after: 30` */
function delayIn(message: string, nowMs: number): number | null {
  const [, amounts] = DELAY.exec(message) ?? [];
  if (amounts !== undefined) {
    const parts = [...amounts.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[dhms])/gi)];
    return nowMs + parts.reduce((sum, [, n, unit = ""]) => sum + Number(n) * (UNIT_MS[unit.toLowerCase()] ?? 0), 0);
  }
  if (/try again in less than a minute/i.test(message)) return nowMs + MINUTE_MS;
  const [, seconds] = /\bretry-after"?\s*[:=]\s*"?(\d+)\b/i.exec(message) ?? [];
  return seconds === undefined ? null : nowMs + Number(seconds) * 1_000;
}

/** `regain access on 2026-04-01 at 00:00 UTC` */
function instantIn(message: string): number | null {
  const [, date, time] = /\bon (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC\b/.exec(message) ?? [];
  return date === undefined ? null : Date.parse(`${date}T${time}:00Z`);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK_TIME = new RegExp(
  String.raw`(?:resets|reset at|try again at)\s+` +
    String.raw`(?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?(?:, (\d{4}))?(?:,| at)? ?)?` +
    String.raw`(?:(\d{1,2})(?::(\d\d))? ?([ap])m)?(?: \(([\w+-]+(?:/[\w+-]+)*)\))?`,
  "i",
);

/** `resets 3:20am (Asia/Calcutta)`, `resets Jan 30, 11:30am (Asia/Calcutta)`, `try again at May 11th, 2026 1:36 PM` */
function clockTimeIn(message: string, nowMs: number): number | null {
  const [, month, day, year, hour, minute = "0", half = "", zone] = CLOCK_TIME.exec(message) ?? [];
  if (month === undefined && hour === undefined) return null;
  const zoneHere = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = wallClock(nowMs, zoneHere);
  if (!today) return null;
  const monthAt = month === undefined ? today.month : MONTHS.indexOf(month.toLowerCase());
  if (monthAt === -1) return null;
  const hours = hour === undefined ? 0 : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const at = (years: number, days: number) =>
    instantOf(Date.UTC(years, monthAt, days, hours, Number(minute)), zoneHere);
  if (day === undefined) {
    const days = [today.day - 1, today.day, today.day + 1];
    return days.map((dayAt) => at(today.year, dayAt)).find((ms) => ms > nowMs - OVERDUE_MS) ?? null;
  }
  const first = at(year === undefined ? today.year : Number(year), Number(day));
  // A date without a year may be in the next year.
  return first > nowMs ? first : at(today.year + 1, Number(day));
}

/** The local time in a time zone; null for an unknown zone. */
function wallClock(ms: number, timeZone: string): { year: number; month: number; day: number; asUtc: number } | null {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...NUMERIC });
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
    return { year, month: month - 1, day, asUtc: Date.UTC(year, month - 1, day, hour, minute) };
  } catch {
    return null; // unknown time zone
  }
}

const NUMERIC = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;

/** The instant of a zone's local time, given as if it were UTC. */
function instantOf(shownAsUtc: number, timeZone: string): number {
  const offsetAt = (ms: number) => (wallClock(ms, timeZone)?.asUtc ?? ms) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  const guess = shownAsUtc - offsetAt(shownAsUtc);
  // A second pass, because the first guess may be across a daylight saving change.
  return shownAsUtc - offsetAt(guess);
}
