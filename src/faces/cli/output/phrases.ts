import { printable } from "../../../core/ansi.ts";
import { formatDuration, timeWords } from "../../../core/duration.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { Effect } from "../../../core/loop/spec.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { agentLabel } from "../../../core/loop/words.ts";

/** The agent of the current or last turn. */
export const agentName = ({ spec, agent }: Pick<LoopState, "spec" | "agent">): string =>
  printable((spec && agentLabel(spec.agents, agent)) || "the agent");

const EFFECT_CHARS = 60;

/** An effect by the words of its task: `commit`, `push`, `tag nightly`. */
export const effectName = ({ args }: Effect): string => shorten(printable(args.join(" ")), EFFECT_CHARS);

/** The time of day, with the date if it is not today: `14:30`, `Tue 14:30`, `2026-03-01 14:30`. */
export function clockTime(ms: number, nowMs = Date.now()): string {
  const [moment, now] = [new Date(ms), new Date(nowMs)];
  const two = (n: number) => String(n).padStart(2, "0");
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  if (moment.toDateString() === now.toDateString()) return time;
  if (Math.abs(ms - nowMs) < 6 * 86_400_000) return `${moment.toDateString().slice(0, 3)} ${time}`;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

/** `waiting until 14:30 (12m left): rate-limited: …`. */
export function waitWords(untilMs: number, why: string, nowMs = Date.now()): string {
  const left = untilMs > nowMs ? `${timeWords(untilMs - nowMs)} left` : "over";
  const reason = printable(why);
  return `waiting until ${clockTime(untilMs, nowMs)} (${left})${reason ? `: ${reason}` : ""}`;
}

const SESSION_CHARS = 8;

/** The session that drives a loop: `claude session 1234abcd…`; null if none does. */
export function sessionWords({ status, driver, host, sessionId }: LoopSummary): string | null {
  if (status === "stopped" || driver !== "host") return null;
  const id = printable(sessionId ?? "");
  return `${printable(host ?? "")} session ${id.length > SESSION_CHARS ? `${id.slice(0, SESSION_CHARS)}…` : id}`;
}

/** What a loop that has not stopped is doing. */
export const activityOf = ({ status, waitUntilMs, detail }: LoopSummary): string =>
  status === "waiting" && waitUntilMs !== null ? waitWords(waitUntilMs, detail) : status;

/** How long ago a moment was: `5m 23s ago`. */
export const agoOf = (atMs: number, nowMs = Date.now()): string => `${formatDuration(Math.max(0, nowMs - atMs))} ago`;

const UNITS: readonly [string, number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** The same in one unit: `5m ago`. */
export function roughlyAgo(atMs: number, nowMs = Date.now()): string {
  const passed = Math.max(0, nowMs - atMs);
  const [unit, ms] = UNITS.find(([, one]) => passed >= one) ?? ["s", 1_000];
  return `${Math.floor(passed / ms)}${unit} ago`;
}
