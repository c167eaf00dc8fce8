import type { FaultyFile } from "../../core/workflow/fault.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";

/** The workflows of a folder. One bad file never hides good ones. */
export interface LoadedWorkflows {
  /** By their names. */
  workflows: readonly Workflow[];
  faulty: readonly FaultyFile[];
  /** What a person might want to know, such as a file that another one takes the place of. */
  notes: readonly string[];
}

/** Finds and reads the workflows of a folder. */
export async function loadWorkflows(_cwd: string): Promise<LoadedWorkflows> {
  return { workflows: [], faulty: [], notes: [] };
}

/** The workflow of that name. Throws a RalphError that says what is there, or what is wrong with it. */
export async function workflowNamed(_cwd: string, name: string): Promise<Workflow> {
  throw new Error(name);
}
