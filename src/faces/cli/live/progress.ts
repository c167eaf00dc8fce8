import type { AgentEvent } from "../../../core/agent.ts";
import type { Entry } from "../../../core/loop/events.ts";
import { type LoopState, START, sessionUsageOf } from "../../../core/loop/state.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { usageMeter } from "../../../core/usage-meter.ts";
import type { LoopWatcher } from "../../../runtime/loop-watcher.ts";
import type { Progress } from "./status-line.ts";

/** Follows a loop between its entries: what the agent reports, and which commands run. */
export function followProgress(now: () => number = Date.now) {
  let state: LoopState = START;
  let turnBeganMs = 0;
  let usage = usageMeter(NO_USAGE);
  let tool = "";
  let commands: Progress["commands"] = [];
  return {
    current: (): Progress => ({ state, turnBeganMs, turnUsage: usage.total().usage, tool, commands }),
    begin(taken: LoopState) {
      state = taken;
    },
    entry({ event, atMs }: Entry, after: LoopState) {
      state = after;
      // Between two entries, either the agent or commands run.
      commands = [];
      if (event.type === "turn.began") [turnBeganMs, tool] = [atMs, ""];
      if (event.type.startsWith("turn.")) usage = usageMeter(sessionUsageOf(after));
    },
    hear(event: AgentEvent) {
      if (event.type === "tool.called") tool = `${event.name} ${event.summary}`;
      if (event.type === "usage.reported") usage.add(event);
    },
    check(kind: Parameters<LoopWatcher["check"]>[0], command: string, isRunning: boolean) {
      const others = commands.filter((running) => running.kind !== kind || running.command !== command);
      commands = isRunning ? [...others, { kind, command, sinceMs: now() }] : others;
    },
  };
}
