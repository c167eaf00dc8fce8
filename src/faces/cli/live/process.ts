import { setFlagsFromString } from "node:v8";
import { isEmbedded } from "../../../adapters/io/environment.ts";
import type { StopControl } from "../../../engine/stop-control.ts";
import type { Cli } from "../context.ts";

/** First Ctrl-C: stop after cleaning up the agent; second: at once. Returns what takes the handlers away again. */
export function catchSignals(cli: Cli, stops: StopControl, answer = cli.answer): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stops.request()) answer(`${signal}: stopping… (press again to stop immediately)`);
    stops.ask({ as: "interrupted", by: signal });
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) cli.process.on(signal, onSignal);
  return () => {
    for (const signal of signals) cli.process.off(signal, onSignal);
  };
}

/**
 * Keeps this process small. Starting a process means copying the page tables of the one that starts it, and a loop
 * starts many: left to itself the heap takes 50 MB for 7 MB of live objects, and every start costs more.
 */
export function staySmall(): void {
  // The heap of a program that runs commands itself is not ours to set.
  if (isEmbedded()) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=5");
}
