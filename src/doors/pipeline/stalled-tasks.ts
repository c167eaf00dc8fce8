import type { Workspace } from "../../adapters/store/workspace.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import type { Pins } from "./pins/pins.ts";

/** A task that does not get on by itself, and why. */
export interface LeftTask {
  task: string;
  why: string;
}

interface LeftRequest {
  workspace: Workspace;
  spec: string | null;
  /** Only this one. */
  task: string | null;
  pins: Pins;
}

const OPEN: readonly TaskStatus[] = ["blocked", "todo", "implementing", "reviewing", "testing", "qa"];
const MOST = 20;

/** The first of the tasks that an execution has left, with what keeps each; what was only interrupted is not among them. */
export async function leftTasks({ workspace, spec, task, pins }: LeftRequest): Promise<LeftTask[]> {
  const { tasks } = workspace;
  const filter = { status: OPEN, limit: MOST, ...(spec === null ? {} : { spec }) };
  const ids = task === null ? (await tasks.list(filter)).map(({ id }) => id) : [task];
  const left = await Promise.all(ids.map(async (id) => ({ task: id, why: await whyLeft(workspace, pins, id) })));
  return left.filter(({ why }) => why !== "");
}

async function whyLeft(workspace: Workspace, pins: Pins, id: string): Promise<string> {
  if (pins.isForeign(id)) return "not taken: no journal says who has added it, or its journal is damaged";
  const { task: row, state } = await workspace.tasks.load(id);
  const task = pins.pinned(row);
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
  const lease = await workspace.leases.take({ kind: "task", id });
  lease?.release();
  return lease === null;
}
