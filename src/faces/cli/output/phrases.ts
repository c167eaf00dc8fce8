import { printable } from "../../../core/ansi.ts";
import { formatDuration, timeWords } from "../../../core/duration.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { Effect } from "../../../core/loop/spec.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { agentLabel } from "../../../core/loop/words.ts";
import { ageWords, clockTime } from "../../../core/view/clock.ts";

/** The agent of the current or last turn. */
export const agentName = ({ spec, agent }: Pick<LoopState, "spec" | "agent">): string =>
  printable((spec && agentLabel(spec.agents, agent)) || "the agent");

const EFFECT_CHARS = 60;

/** An effect by the words of its task: `commit`, `push`, `tag nightly`. */
export const effectName = ({ args }: Effect): string => shorten(printable(args.join(" ")), EFFECT_CHARS);

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

/** The same in one unit: `5m ago`. */
export const roughlyAgo = (atMs: number, nowMs = Date.now()): string => `${ageWords(atMs, nowMs)} ago`;
