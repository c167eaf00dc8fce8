import { formatDuration, timeWords } from "../duration.ts";
import type { Doing } from "../pulse.ts";
import type { Tone } from "./tones.ts";

const UNITS: readonly [string, number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** How long something has been, in one unit: `12m`. */
export function ageWords(sinceMs: number, nowMs: number): string {
  const passed = Math.max(0, nowMs - sinceMs);
  for (const [unit, ms] of UNITS) if (passed >= ms) return `${Math.floor(passed / ms)}${unit}`;
  return `${Math.floor(passed / 1_000)}s`;
}

/** How long something has been running: `5m 23s`. */
export const runningWords = (sinceMs: number, nowMs: number): string =>
  formatDuration(Math.floor(Math.max(0, nowMs - sinceMs) / 1_000) * 1_000).replace(/^0ms$/, "0s");

/** The time of day, with the date if it is not today: `14:30`, `Tue 14:30`, `2026-03-01 14:30`. */
export function clockTime(ms: number, nowMs = Date.now()): string {
  const [moment, now] = [new Date(ms), new Date(nowMs)];
  const two = (n: number) => String(n).padStart(2, "0");
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  if (moment.toDateString() === now.toDateString()) return time;
  if (Math.abs(ms - nowMs) < 6 * 86_400_000) return `${moment.toDateString().slice(0, 3)} ${time}`;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

/** An agent that has printed nothing for this long is shown as silent. */
const SILENT_MS = 60_000;

interface Live {
  waitUntilMs: number | null;
  doing: Doing | null;
  turnBeganMs: number | null;
  heardMs: number | null;
}

/** What runs right now: `waits until 14:05 (12m)`, `Bash: npm test 12s`, `silent for 3m`. */
export function liveWords(
  { waitUntilMs, doing, turnBeganMs, heardMs }: Live,
  nowMs: number,
): { text: string; tone: Tone } {
  if (waitUntilMs !== null && waitUntilMs > nowMs)
    return { text: `waits until ${clockTime(waitUntilMs, nowMs)} (${timeWords(waitUntilMs - nowMs)})`, tone: "warn" };
  const heard = heardMs ?? turnBeganMs;
  const isSilent = turnBeganMs !== null && heard !== null && nowMs - heard >= SILENT_MS;
  const silence = isSilent ? `silent for ${ageWords(heard, nowMs)}` : "";
  if (!doing) return { text: silence || (turnBeganMs === null ? "" : "thinking"), tone: isSilent ? "warn" : "dim" };
  const what = doing.kind === "tool" ? doing.text : `${doing.kind}: ${doing.text}`;
  const text = [silence, `${what} ${ageWords(doing.sinceMs, nowMs)}`].filter(Boolean).join(": ");
  return { text, tone: isSilent ? "warn" : "plain" };
}

/** Who works: `claude opus`. */
export const agentWords = ({ agent, model }: { agent: string; model: string | null }): string =>
  [agent, model ?? ""].filter(Boolean).join(" ");
