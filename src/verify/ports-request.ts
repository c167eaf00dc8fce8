import type { Snapshots } from "../adapters/git/snapshots.ts";
import type { LogFile } from "../adapters/io/log-file.ts";
import type { Watchdog } from "../adapters/io/watchdog.ts";
import type { Workspace } from "../adapters/store/workspace.ts";
import type { AgentEvent } from "../core/agent.ts";
import type { Discarded } from "../core/loop/discarded.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { Note } from "../core/loop/notes.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { Alarm } from "../core/render.ts";
import type { Lease, LoopStore } from "../core/store.ts";
import type { StopControl } from "../engine/stop-control.ts";

/** What a person watches while a loop runs. */
export interface View {
  /** Wants the agent's output as it prints it, not made readable. */
  raw: boolean;
  show(output: Buffer | string): Promise<void> | undefined;
  /** What an agent with a structured stream prints beside it, for a view that wants the stream raw. */
  showAside?(output: Buffer): Promise<void> | undefined;
  /** Colours what a person should not miss. */
  alarm?: Alarm;
  /** Everything the agent is heard to do. */
  hear?(event: AgentEvent): void;
  /** Told before each command, with no result, and after it. Several guardrails may run at once. */
  check(kind: "guardrail" | "check" | "baseline", command: string, result: CheckResult | null): void;
  /** What went on beside the loop. */
  note?(note: Note): void;
}

/** The copy of the work that an agent looks at instead of changing it. */
export interface WorkCopy {
  /** Makes it what its commit is. */
  reset(): Promise<void>;
  /** What has become of it since; null: nothing. */
  look(): Promise<Discarded | null>;
}

/** Whether the commits from `since` to `head` hold work of a task's agents; null: git cannot tell. */
export type TaskWork = (
  spec: LoopSpec,
  state: LoopState,
  range: { since: string; head: string },
) => Promise<{ is: "done" | "none" } | null>;

export interface PortsRequest {
  workspace: Workspace;
  /** Where the driver writes. */
  store: Pick<LoopStore, "append" | "disown">;
  lease: Pick<Lease, "isHeld" | "lost">;
  loop: string;
  spec: LoopSpec;
  stops: StopControl;
  view: View;
  watchdog: Watchdog;
  /** Takes the output of all turns of this driver: making a file per turn would cost more than the entry about it. */
  output: LogFile;
  /** What the checkout looked like, time and again. */
  snapshots: Snapshots;
  /** Names this process in the run tokens. */
  processToken: string;
  /** Left out where the agent works on the loop's folder itself. */
  copy?: WorkCopy;
  /** Given by the door that runs tasks. */
  taskWork?: TaskWork;
}
