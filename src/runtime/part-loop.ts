import { nullOn } from "../core/errors.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoopStore } from "../core/loop/store.ts";
import { type Driving, type LoopRun, resumeLoop } from "./run-loop.ts";

type OnChange = (change: LoopChange) => void | Promise<void>;

/** Drives a loop until it stops, or until it is its host's turn. Returns its last state. */
export async function followChanges(
  { changes }: Pick<LoopRun, "changes">,
  onChange: OnChange = () => undefined,
): Promise<LoopState> {
  while (true) {
    const next = await changes.next();
    if (next.done) return next.value;
    await onChange(next.value);
  }
}

/** The state of a part's loop. Null if the driver died after it journalled the loop's id and before it created the loop. */
export const partLoopState = async (store: LoopStore, id: string): Promise<LoopState | null> =>
  (await store.load(id).catch(nullOn("loop-unknown")))?.state ?? null;

interface PartLoop {
  id: string;
  /** Its state so far; null if it has to be started. */
  known: LoopState | null;
  start(driving: Driving): Promise<LoopRun>;
  /** Returns the listener to its changes. */
  onRun(run: LoopRun): OnChange | Promise<OnChange>;
}

/** Drives the loop of a task's stage or of a run's part, whichever process started it. */
export async function drivePartLoop(driving: Driving, { id, known, start, onRun }: PartLoop): Promise<LoopState> {
  const run = known
    ? await resumeLoop(driving, id, { limits: (same) => same, acceptChanges: false })
    : await start(driving);
  return followChanges(run, await onRun(run));
}
