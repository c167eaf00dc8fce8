import type { RunEvent, RunStarted } from "../../core/workflow/events.ts";
import { reduceRun } from "../../core/workflow/reduce.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { LoadedRun, RunStore } from "../../core/workflow/store.ts";

/** A run in the hands of whoever drives it: nothing happens to it that is not written down first. */
export interface RunLedger {
  readonly state: RunState;
  readonly started: RunStarted;
  /** Writes facts down, in one transaction. Lanes that run together write one after the other. */
  note(...events: readonly RunEvent[]): Promise<void>;
}

/** `told` of every fact once it is durable. */
export function openRunLedger(
  runs: RunStore,
  loaded: LoadedRun,
  told: (event: RunEvent, state: RunState) => void,
): RunLedger {
  let run = loaded;
  let last: Promise<void> = Promise.resolve();
  const { started } = loaded.state;
  if (!started) throw new Error(`the run ${loaded.id} was never started`);
  const write = async (events: readonly RunEvent[]) => {
    let { state } = run;
    run = await runs.append(run, events, Date.now());
    for (const event of events) {
      state = reduceRun(state, event);
      told(event, state);
    }
  };
  return {
    started,
    get state() {
      return run.state;
    },
    note(...events) {
      const mine = last.then(() => write(events));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
