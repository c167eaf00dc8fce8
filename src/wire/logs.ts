import { createReadStream } from "node:fs";
import { join } from "node:path";
import { openReader } from "../agents/reader.ts";
import type { AgentAdapter } from "../core/agent.ts";
import { presets } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import { NO_USAGE, type Usage } from "../core/usage.ts";
import type { StateFolder } from "../io/state-folder.ts";

/** The log of one attempt at one iteration. */
export const attemptLog = (folder: StateFolder, loop: string, n: number, attempt: number): string =>
  join(folder.logs(loop), `iteration-${n}-${attempt}.log`);

/** What a turn that never ended is known to have cost, read back from its log. */
export async function spentIn(path: string, adapter: AgentAdapter): Promise<Usage> {
  if (!adapter.parse) return NO_USAGE;
  const reader = openReader(adapter, watchClaims(presets.hook("")));
  try {
    for await (const chunk of createReadStream(path)) reader.add(chunk as Buffer);
  } catch {
    // Killed before it wrote anything.
    return NO_USAGE;
  }
  return reader.finish().usage;
}
