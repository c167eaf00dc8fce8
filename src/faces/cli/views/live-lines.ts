import { printable } from "../../../core/ansi.ts";
import { formatDuration, timeWords } from "../../../core/duration.ts";
import { counted, firstNamed } from "../../../core/excerpt.ts";
import type { LastVerdict, LimitsLeft } from "../../../core/loop/activity.ts";
import { dollars } from "../../../core/usage.ts";
import type { LoopView } from "../../../engine/named.ts";
import type { LiveLoop } from "../../../runtime/live-loop.ts";
import { paint } from "../../terminal/paint.ts";
import { activityOf } from "../output/phrases.ts";

const NAMES_SHOWN = 3;
const DOING = { baseline: "checks before any work", guardrails: "guardrails", checks: "checks", effect: "effect" };

/** What a loop does now: `Bash npm test (turn began 1m 5s ago)`. */
export function nowWords(loop: LoopView, { activity }: LiveLoop, nowMs = Date.now()): string {
  const { is, names, sinceMs, tool, said } = activity;
  const past = formatDuration(Math.max(0, nowMs - sinceMs));
  switch (is) {
    case "waiting":
      return activityOf(loop);
    case "next":
      return "between two turns";
    case "agent":
      return `${tool ?? (said ? `“${said}”` : "the agent works")} ${paint("dim", `(turn began ${past} ago)`)}`;
    default: {
      const which = names.length > 0 ? `: ${printable(firstNamed(names, NAMES_SHOWN))}` : "";
      return `${DOING[is]} for ${past}${which}`;
    }
  }
}

const VERDICTS = { pass: "proven", fail: "not proven", unknown: "undecided" };

/** `not proven in iteration 2: npm test (exit code 1)`. */
export function verdictWords(last: LastVerdict): string {
  const words = `${VERDICTS[last.is]} in iteration ${last.iteration}`;
  const reason = printable(last.reason);
  return `${paint(last.is === "pass" ? "green" : "red", words)}${reason ? `: ${reason}` : ""}`;
}

/** What is left until each limit: `7 iterations, 1h 12m, $4.58`. */
export function leftWords({ iterations, ms, costUsd, tokens }: LimitsLeft): string {
  const parts = [
    ...(iterations === null ? [] : [counted(iterations, "iteration")]),
    ...(ms === null ? [] : [timeWords(ms)]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
    ...(tokens === null ? [] : [counted(tokens, "token")]),
  ];
  return parts.length > 0 ? parts.join(", ") : "no limit";
}

/** The rows of one loop that runs. */
export function liveRows(loop: LoopView, live: LiveLoop): [string, string][] {
  const { lastVerdict: last } = live;
  return [
    ["now", nowWords(loop, live)],
    ...(last ? [["verdict", verdictWords(last)] as [string, string]] : []),
    ...(last && last.failing.length > 0
      ? [["failing", last.failing.map(printable).join(", ")] as [string, string]]
      : []),
    ["left", leftWords(live.left)],
  ];
}

const hasLimit = (left: LimitsLeft): boolean => Object.values(left).some((value) => value !== null);

/** The same in a list of loops. */
export function liveLine(loop: LoopView, live: LiveLoop): string {
  const { lastVerdict: last, spent, left } = live;
  const failing = last && last.failing.length > 0 ? `: ${printable(firstNamed(last.failing, NAMES_SHOWN))}` : "";
  const facts = [
    nowWords(loop, live),
    ...(last ? [`${VERDICTS[last.is]} in iteration ${last.iteration}${failing}`] : []),
    ...(spent.costUsd > 0 ? [dollars(spent.costUsd)] : []),
    ...(hasLimit(left) ? [`${leftWords(left)} left`] : []),
  ];
  return `    ${facts.join(" · ")}`;
}
