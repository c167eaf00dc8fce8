import type { RunEvent, RunStarted } from "../../core/workflow/events.ts";
import { type RunTypes, runKind } from "../../core/workflow/kind.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { LoadedRun } from "../../core/workflow/store.ts";
import { type LedgerPorts, openLedger } from "../../engine/ledger.ts";

/** A run in the hands of its driver: nothing happens to it that is not written down first. */
export interface RunLedger {
  readonly state: RunState;
  readonly started: RunStarted;
  /** Writes facts down, in one transaction. Lanes that run together write one after the other. */
  write(...events: readonly RunEvent[]): Promise<void>;
}

/** `told` is called for every fact once it is durable. */
export function openRunLedger(
  loaded: LoadedRun,
  ports: LedgerPorts<RunTypes>,
  told: (event: RunEvent, state: RunState) => void,
): RunLedger {
  const { started } = loaded.state;
  if (!started) throw new Error(`the run ${loaded.id} was never started`);
  const ledger = openLedger(runKind, loaded, ports);
  return {
    started,
    get state() {
      return ledger.state;
    },
    async write(...events) {
      for (const { entry, after } of await ledger.write(...events)) told(entry.event, after);
    },
  };
}
