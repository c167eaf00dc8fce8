import { setFlagsFromString } from "node:v8";
import { isEmbedded } from "../../../adapters/io/environment.ts";
import type { StopControl } from "../../../engine/stop-control.ts";
import type { Cli } from "../context.ts";

/** The first Ctrl-C stops after cleaning up the agent, the second at once. Returns a function that undoes it. */
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
 * Keeps this process small. Starting a process copies the page tables of its parent, and a loop starts many: by default
 * the heap takes 50 MB for 7 MB of live objects, which makes every start slower.
 */
export function staySmall(): void {
  // The heap of a program that embeds Ralph is not changed.
  if (isEmbedded()) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=5");
}
