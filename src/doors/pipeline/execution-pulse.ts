import type { ExecutionPulse } from "../../core/pulse.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openBeats } from "../../runtime/beats.ts";
import { ownHolder } from "../../runtime/driver.ts";

/** Writes what an execution works on, for those who look. */
export interface ExecutionBeat {
  /** The task has the first free slot, until the returned function is called. */
  begin(task: string): () => void;
  /** The task waits for its merge from now on, until the returned function is called. */
  joinMerges(task: string): () => void;
  close(): void;
}

/** An execution changes rarely: what it does now is shown soon. */
const SOON_MS = 200;

/** Its lease tells others that it lives: it has no journal of its own. */
export async function openExecutionBeat(
  { pulses, leases }: Workspace,
  { id, maxParallel, ...about }: { id: string; maxParallel: number } & Pick<ExecutionPulse, "startedMs" | "target">,
): Promise<ExecutionBeat> {
  const lease = await leases.take({ kind: "execution", id });
  const slots: ExecutionPulse["slots"][number][] = Array.from({ length: maxParallel }, () => null);
  let merging: readonly string[] = [];
  const holder = ownHolder();
  const beats = openBeats(() => {
    pulses.beat({ kind: "execution", id, pulse: { ...about, holder, slots, merging } }, Date.now());
  }, SOON_MS);
  const changed = <T>(value: T): T => {
    beats.changed();
    return value;
  };
  changed(null);
  return {
    begin(task) {
      const free = slots.indexOf(null);
      slots[free] = changed({ task, sinceMs: Date.now() });
      return () => {
        slots[free] = changed(null);
      };
    },
    joinMerges(task) {
      merging = changed([...merging, task]);
      return () => {
        merging = changed(merging.filter((one) => one !== task));
      };
    },
    close() {
      beats.close();
      lease?.release();
      pulses.end({ kind: "execution", id });
    },
  };
}
