import type { CheckResult, Tamper } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { Stage } from "../../core/proof/proof.ts";
import type { ScopedWork } from "../scoped-work.ts";
import type { VerificationContext } from "../verification-context.ts";

export interface PlaceRequest {
  context: VerificationContext;
  /** Part of the names of log files. */
  label: string;
  kind: "check" | "baseline";
  /** Null before any work. */
  state: LoopState | null;
  stages: readonly Stage[];
  /** What has changed since the start; null unless the proof depends on it. */
  work: ScopedWork | null;
  /** Whether to look for files that change while the checks run. */
  watch: boolean;
  run(context: VerificationContext): Promise<CheckResult[] | null>;
}

/** What a clean room contains. */
export interface RoomContent {
  /** Null unless the room is a checkout of a commit. */
  commit: string | null;
  /** What it is, in words. */
  name: string;
  /** Writes it into a folder that does not exist yet. Returns the reason for a failure, or null. */
  fill(root: string): Promise<string | null>;
  /** Undoes what the setup, which runs the agent's code, has changed in its files. */
  restore(root: string): Promise<string | null>;
  /** Files that decide completion and differ in it. `cwd`: the loop's folder in the room. */
  tampered(cwd: string): Promise<readonly Tamper[]>;
  /** What the checks ran on and could not see. */
  note(): Promise<string>;
}
