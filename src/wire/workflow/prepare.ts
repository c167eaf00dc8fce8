import type { Conversation, RunStarted } from "../../core/workflow/events.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import type { Workspace } from "../workspace.ts";

/** What a run is started with. */
export interface RunRequest {
  workspace: Workspace;
  workflow: Workflow;
  /** What the user said. */
  message: string;
  /** Null: started on the command line. */
  conversation: Conversation | null;
  /** The agent that was asked for instead of the workflow's own, and what a scripted one plays. */
  agent: RunStarted["agent"];
  settingsPath?: string;
}

/** Finds out all that a run needs to know; what is missing is told before anything is written. */
export async function prepareRun({ workspace, workflow, message, conversation, agent }: RunRequest): Promise<RunStarted> {
  return { type: "run.started", workflow, message, conversation, cwd: workspace.cwd, values: {}, agent };
}
