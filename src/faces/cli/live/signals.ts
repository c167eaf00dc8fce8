import type { StopControl } from "../../../engine/stop-control.ts";
import type { CliContext } from "../context.ts";

/** First Ctrl-C: stop after cleaning up the agent; second: at once. Returns what takes the handlers away again. */
export function catchSignals(cli: CliContext, stops: StopControl, answer = cli.answer): () => void {
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
