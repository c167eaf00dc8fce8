import type { TaskStatus } from "../../core/task/task.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { PickRequest } from "./pick.ts";
import type { Pins } from "./pins/pins.ts";

/** A task that needs the user, and why. */
export interface LeftTask {
  task: string;
  why: string;
  /** Whether it is retried only with --task. */
  stuck?: true;
  /** Whether only its merge is left. */
  proven?: true;
}

const OPEN: readonly TaskStatus[] = ["blocked", "todo", "implementing", "reviewing", "testing", "qa"];
const MOST = 20;

/** The first unfinished tasks of an execution and their reasons, without those that were only interrupted. */
export async function leftTasks({ workspace, spec, only, pins }: Omit<PickRequest, "without">): Promise<LeftTask[]> {
  const { tasks } = workspace;
  const filter = { status: OPEN, limit: MOST, ...(spec === null ? {} : { spec }) };
  const ids = only ?? (await tasks.list(filter)).map(({ id }) => id);
  const left = await Promise.all(ids.map(async (id) => ({ task: id, ...(await whyLeft(workspace, pins, id)) })));
  return left.filter(({ why }) => why !== "");
}

/** Why a task does not run; empty if it can. */
export async function whyLeft(
  workspace: Workspace,
  pins: Pick<Pins, "isForeign" | "pinned">,
  id: string,
): Promise<Omit<LeftTask, "task">> {
  if (pins.isForeign(id)) return { why: "not started: no journal records who added it, or its journal is damaged" };
  const { task: row, state } = await workspace.tasks.load(id);
  const task = pins.pinned(row);
  if (state.status === "done" || state.status === "cancelled") return { why: "" };
  if (state.blocked !== null) return { why: `blocked: ${state.blocked}`, stuck: true };
  if (state.held) return { why: "held: its work was cancelled", stuck: true };
  if (state.waits !== null) return { why: `proven, but not merged yet: ${state.waits}`, proven: true };
  const needed = await Promise.all(task.dependencies.map((one) => workspace.tasks.find(one)));
  const open = needed.filter(({ status }) => status !== "done");
  if (open.length > 0) return { why: `waits for ${open.map((one) => `${one.id} (${one.status})`).join(", ")}` };
  return { why: (await workspace.leases.isTaken({ kind: "task", id })) ? "another execution is working on it" : "" };
}
