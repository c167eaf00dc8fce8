import { readFileSync } from "node:fs";
import type { StopControl } from "../wire/stops.ts";
import { tell } from "./print.ts";

/** First Ctrl-C: stop after cleaning up the agent; second: at once. Returns what takes the handlers away again. */
export function catchSignals(stops: StopControl): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stops.request()) tell(`\n${signal}: stopping the agent… (once more to kill it)`);
    stops.ask({ as: "interrupted", by: signal });
  };
  const signals = (["SIGINT", "SIGTERM", "SIGHUP"] as const).filter(
    (signal) => signal !== "SIGHUP" || !hangUpIgnored(),
  );
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Whoever started us under nohup wants the loop to go on; listening would undo that. */
function hangUpIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return false;
  }
}
