import { formatDuration } from "../../core/duration.ts";
import { timer } from "./timer.ts";
import { send } from "./tokens.ts";

/** Graceful and forced stop: the first and the second Ctrl-C. */
export interface Stops {
  soft: AbortSignal;
  hard: AbortSignal;
}

/** How a process ended. The first cause wins. */
export type Ended =
  | { by: "exit"; code: number }
  | { by: "signal"; signal: NodeJS.Signals }
  | { by: "timeout" }
  | { by: "idle" }
  | { by: "stop" }
  | { by: "start-error"; code: string; message: string };

/** How a process with this timeout ended, for users. */
export function processEndWords(ended: Ended, timeoutMs: number): string {
  switch (ended.by) {
    case "exit":
      return `exit code ${ended.code}`;
    case "signal":
      return `ended by ${ended.signal}`;
    case "start-error":
      return ended.message;
    case "stop":
      return "aborted";
    default:
      return `timed out after ${formatDuration(timeoutMs)}`;
  }
}

export interface ProcessEnding {
  cause: Ended | null;
  begin(cause: Ended): void;
  close(): void;
}

interface EndingRequest {
  group: number;
  timeoutMs: number;
  graceMs: number;
  stops: Stops;
  /** Kills everything that the process started. */
  killAll(): void;
}

/** The delay between SIGKILL and the search for processes that left the group. */
const SWEEP_AFTER_MS = 300;

/** Sends SIGINT, then SIGTERM, then SIGKILL, then kills all, each after the grace period. A hard stop skips to SIGKILL. */
export function endingOf({ group, timeoutMs, graceMs, stops, killAll }: EndingRequest): ProcessEnding {
  let nextStep: { stop(): void } | undefined;
  const step = (signals: readonly NodeJS.Signals[]) => {
    const [signal, ...rest] = signals;
    if (!signal) return killAll();
    send(-group, signal);
    nextStep = timer(signal === "SIGKILL" ? SWEEP_AFTER_MS : graceMs, () => step(rest));
  };
  const ending: ProcessEnding = {
    cause: null,
    begin(cause) {
      if (ending.cause) return;
      ending.cause = cause;
      timeout.stop();
      step(["SIGINT", "SIGTERM", "SIGKILL"]);
    },
    close() {
      nextStep?.stop();
      timeout.stop();
      stops.soft.removeEventListener("abort", soften);
      stops.hard.removeEventListener("abort", harden);
    },
  };
  const soften = () => ending.begin({ by: "stop" });
  const harden = () => {
    ending.cause ??= { by: "stop" };
    nextStep?.stop();
    step(["SIGKILL"]);
  };
  const timeout = timer(timeoutMs, () => ending.begin({ by: "timeout" }));
  stops.soft.addEventListener("abort", soften);
  stops.hard.addEventListener("abort", harden);
  if (stops.hard.aborted) harden();
  else if (stops.soft.aborted) soften();
  return ending;
}
