import { RalphError } from "../core/errors.ts";
import type { Task } from "../core/task/task.ts";
import type { Workspace } from "./workspace.ts";

/** The task of that id; null where there is none, and it may be a loop that is meant. */
export async function taskNamed({ tasks }: Workspace, id: string): Promise<Task | null> {
  try {
    return await tasks.find(id);
  } catch (error) {
    if (error instanceof RalphError && error.code === "task-unknown") return null;
    throw error;
  }
}
