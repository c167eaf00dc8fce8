import { RalphError } from "../../core/errors.ts";
import type { Lease } from "../../core/lease.ts";
import type { LoadedTask } from "../../core/task/store.ts";
import type { Task } from "../../core/task/task.ts";
import type { Workspace } from "../../core/workspace.ts";
import { taskNamed } from "../../engine/named.ts";
import type { Pins } from "./pins/pins.ts";
import { changeTask, proposedTask } from "./tasks/task-change.ts";

export interface PickRequest {
  workspace: Workspace;
  spec: string | null;
  /** Only these tasks, in this order; null: every ready task. */
  only: readonly string[] | null;
  /** Tasks that this process is working on or has skipped. */
  without: ReadonlySet<string>;
  pins: Pins;
}

export interface Picked {
  loaded: LoadedTask;
  lease: Lease;
  /** When it was taken: earlier requests were for another process. */
  takenMs: number;
}

/** How many extra candidates to load, because other processes may hold some. */
const BESIDES = 16;

/** The next task to start: interrupted tasks come first. Null if there is none. */
export async function pickTask(request: PickRequest): Promise<Picked | null> {
  if (request.only !== null) return firstOf(request, request.only);
  for (const begun of [true, false]) {
    const picked = await firstOf(request, await candidates(request, begun));
    if (picked) return picked;
  }
  return null;
}

async function firstOf(request: PickRequest, ids: Iterable<string>): Promise<Picked | null> {
  for (const id of ids) {
    const picked = request.without.has(id) ? null : await take(request, id);
    if (picked) return picked;
  }
  return null;
}

/** In order. Tasks changed since the start are always included, because the list shows the changed version. */
async function candidates({ workspace, spec, without, pins }: PickRequest, begun: boolean): Promise<Iterable<string>> {
  const limit = without.size + pins.aside + BESIDES;
  const listed = await workspace.tasks.next({ begun, limit, ...(spec === null ? {} : { spec }) });
  if (begun || pins.changed.size === 0) return listed.map(({ id }) => id);
  const changed = await Promise.all([...pins.changed].map((id) => taskNamed(workspace, id)));
  const all = [...listed, ...changed.filter((task) => task !== null)].sort(
    (one, other) => one.priority - other.priority,
  );
  return new Set(all.map(({ id }) => id));
}

async function take(request: PickRequest, id: string): Promise<Picked | null> {
  const { workspace, pins } = request;
  if (pins.isForeign(id)) return null;
  const takenMs = Date.now();
  const lease = await workspace.leases.take({ kind: "task", id });
  if (!lease) return null;
  try {
    // Read under the lease: another process may have finished it in the meantime.
    const loaded = await workspace.tasks.load(id);
    if (isOpen(loaded) && (await isAsked(request, loaded))) return { loaded, lease, takenMs };
  } catch (error) {
    lease.release();
    throw error;
  }
  lease.release();
  return null;
}

/** Whether the pinned task belongs to the requested spec and has no unmet dependency. */
async function isAsked({ pins, spec }: PickRequest, { task, state }: LoadedTask): Promise<boolean> {
  if (spec !== null && pins.pinned(task).specId !== spec) return false;
  return state.status !== "todo" || (await pins.isUnlocked(task));
}

const isOpen = ({ state: { status, held } }: LoadedTask): boolean =>
  !held && status !== "done" && status !== "blocked" && status !== "cancelled" && status !== "proposed";

/** Throws if a task given by the user cannot be started; `along`: the tasks given with it, which run before it. */
export async function requireStartable(workspace: Workspace, id: string, along: readonly string[]): Promise<Task> {
  const task = await workspace.tasks.find(id);
  const open: string[] = [];
  const needs: string[] = [];
  for (const needed of task.dependencies) {
    if (along.includes(needed)) continue;
    const { status } = (await workspace.tasks.load(needed)).state;
    if (status === "done") continue;
    open.push(`${needed} (${status})`);
    needs.push(needed);
  }
  if (open.length > 0) {
    throw new RalphError("task-waits", `task ${id} depends on tasks that are not done: ${open.join(", ")}`, {
      hint: `\`ralph execute\` runs tasks in the order of their dependencies; so does ralph execute ${[...needs, ...along].join(" ")}`,
    });
  }
  if (task.status === "proposed") throw proposedTask(id);
  return task;
}

/** Releases the tasks given by the user that are held or blocked. Throws if one cannot be started. */
export async function wanted(workspace: Workspace, ids: readonly string[], by: string): Promise<void> {
  const tasks: Task[] = [];
  for (const id of ids) tasks.push(await requireStartable(workspace, id, ids));
  for (const { id, held, status } of tasks) {
    const isOut = held || status === "blocked" || status === "cancelled";
    if (isOut) await changeTask(workspace, id, { change: {}, status: "todo", by });
  }
}
