import type { Workspace } from "../../../adapters/store/workspace.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { agentBehind } from "../../../runtime/person.ts";

/** The first event of a new task: the user has added it, or an agent has proposed it. */
export function authorOf(workspace: Workspace, what: string): TaskEvent & { type: "task.added" | "task.proposed" } {
  const agent = agentBehind(workspace);
  if (agent) return { type: "task.proposed", by: agent.who };
  return { type: "task.added", by: `${what} (pid ${process.pid})` };
}
