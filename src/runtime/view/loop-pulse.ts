import { type LoopPulse, pulseAfter } from "../../core/pulse.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { LoopView } from "../../engine/named.ts";

/** What the driver of one loop does right now; null if no process drives it. */
export async function pulseOf(
  { pulses }: Workspace,
  { id, held, driver, updatedAtMs }: LoopView,
): Promise<LoopPulse | null> {
  if (!held || driver === "host") return null;
  const found = (await pulses.all()).find((pulse) => pulse.kind === "loop" && pulse.id === id);
  return found?.kind === "loop" ? pulseAfter(found.pulse, found.atMs, updatedAtMs) : null;
}
