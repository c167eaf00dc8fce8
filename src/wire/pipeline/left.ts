import type { TaskStatus } from "../../core/task/task.ts";
import { takeTask } from "../task-lease.ts";
import type { Workspace } from "../workspace.ts";

/** A task that does not get on by itself, and why. */
export interface LeftTask {
  task: string;
  why: string;
}

const OPEN: readonly TaskStatus[] = ["blocked", "todo", "implementing", "reviewing", "testing", "qa"];
const MOST = 20;

/** The first of the tasks that an execution has left, with what keeps each; what was only interrupted is not among them. */
export async function leftTasks(workspace: Workspace, spec: string | null, task: string | null): Promise<LeftTask[]> {
  const { tasks } = workspace;
  const filter = { status: OPEN, limit: MOST, ...(spec === null ? {} : { spec }) };
  const ids = task === null ? (await tasks.list(filter)).map(({ id }) => id) : [task];
  const left = await Promise.all(ids.map(async (id) => ({ task: id, why: await whyLeft(workspace, id) })));
  return left.filter(({ why }) => why !== "");
}

const MOST_DONE = 1_000;

/** Those of the tasks that are done whose proof is weakened by something. */
export async function weakenedTasks({ tasks }: Workspace, spec: string | null, task: string | null): Promise<string[]> {
  const filter = { status: ["done" as const], limit: MOST_DONE, ...(spec === null ? {} : { spec }) };
  const ids = task === null ? (await tasks.list(filter)).map(({ id }) => id) : [task];
  const states = await Promise.all(ids.map(async (id) => ({ id, state: (await tasks.load(id)).state })));
  return states.filter(({ state }) => state.status === "done" && state.weak?.length).map(({ id }) => id);
}

async function whyLeft(workspace: Workspace, id: string): Promise<string> {
  const { task, state } = await workspace.tasks.load(id);
  if (state.status === "done" || state.status === "cancelled") return "";
  if (state.blocked !== null) return `blocked: ${state.blocked}`;
  if (state.held) return "held: its work was cancelled";
  if (state.waits !== null) return `proven, and not merged yet: ${state.waits}`;
  const needed = await Promise.all(task.dependencies.map((one) => workspace.tasks.find(one)));
  const open = needed.filter(({ status }) => status !== "done");
  if (open.length > 0) return `waits for ${open.map((one) => `${one.id} (${one.status})`).join(", ")}`;
  return (await isInWork(workspace, id)) ? "another execution works on it" : "";
}

async function isInWork(workspace: Workspace, id: string): Promise<boolean> {
  const lease = await takeTask(workspace, id);
  lease?.release();
  return lease === null;
}
