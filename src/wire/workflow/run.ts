import { randomBytes } from "node:crypto";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { Workspace } from "../workspace.ts";
import type { RunDriving } from "./context.ts";

/** An id that no run has. */
export const newRunId = (): string => randomBytes(5).toString("hex").slice(0, 8);

/** Writes a new run down; nobody drives it yet. */
export async function createRun(workspace: Workspace, started: RunStarted): Promise<string> {
  const id = newRunId();
  await workspace.runs.create(id, started, Date.now());
  return id;
}

/** Drives a run to its end, or until somebody wants it to stop. Closes the teller. */
export async function driveRun(driving: RunDriving, id: string): Promise<RunState> {
  await driving.teller.close();
  return (await driving.workspace.runs.load(id)).state;
}
