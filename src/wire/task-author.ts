import type { TaskEvent } from "../core/task/events.ts";
import { agentBehind } from "./person.ts";
import type { Workspace } from "./workspace.ts";

/** What the journal of a new task begins with: a person has added it, or an agent has proposed it. */
export function authorOf(workspace: Workspace, what: string): TaskEvent & { type: "task.added" | "task.proposed" } {
  const agent = agentBehind(workspace);
  if (agent) return { type: "task.proposed", by: agent.who };
  return { type: "task.added", by: `${what} (pid ${process.pid})` };
}
