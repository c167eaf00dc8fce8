import type { UsageScope } from "./agent.ts";
import { addUsage, NO_USAGE, type Usage, usageSince } from "./usage.ts";

/** Adds up an agent's usage reports. A report on the whole turn or session replaces the sum of its steps. */
export function usageMeter(before: Usage) {
  let usage = NO_USAGE;
  let sessionUsage: Usage | null = null;
  return {
    add({ usage: reported, of }: { usage: Usage; of: UsageScope }) {
      if (of === "session") sessionUsage = reported;
      usage = of === "step" ? addUsage(usage, reported) : of === "turn" ? reported : usageSince(reported, before);
    },
    total: () => ({ usage, sessionUsage }),
  };
}
