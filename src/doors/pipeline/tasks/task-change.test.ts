import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeTo } from "../../../../test/support/journal.ts";
import { fileBlobs } from "../../../adapters/io/file-blobs.ts";
import { leasesIn } from "../../../adapters/store/lease.ts";
import { pulsesIn } from "../../../adapters/store/pulses.ts";
import { openSqliteStore } from "../../../adapters/store/sqlite-store.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { taskKind } from "../../../core/task/kind.ts";
import type { StateFolder, Workspace } from "../../../core/workspace.ts";
import { changeTask, removeTask } from "./task-change.ts";
import { viewTask } from "./task-view.ts";

/** A workspace with one task that has these events. */
async function workspaceWith(...events: TaskEvent[]): Promise<Workspace> {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-change-"));
  const store = await openSqliteStore(join(cwd, "state.db"));
  onTestFinished(() => {
    store.close();
    rmSync(cwd, { recursive: true, force: true });
  });
  const { tasks } = store;
  const none = { description: "", priority: 1, dependencies: [], assignee: "", metadata: {}, completionSpec: null };
  await tasks.create([{ id: "A", specId: "s", title: "T", ...none }], 1);
  for (const event of events) {
    await writeTo(taskKind, tasks, { id: "A", events: [event], atMs: 2 });
  }
  return {
    cwd,
    folder: { leases: join(cwd, "leases") } as StateFolder,
    blobs: fileBlobs(cwd),
    ...store,
    store,
    leases: leasesIn(join(cwd, "leases")),
    pulses: pulsesIn(join(cwd, "pulses")),
  };
}

const TAKEN: TaskEvent = {
  type: "task.taken",
  execution: "e",
  stages: ["coder"],
  limits: { maxAttempts: 3, maxRounds: 3 },
};
const WORK = { branch: "task/A", target: "main", base: "1".repeat(40), worktree: "/w" };
const DONE: TaskEvent[] = [
  { ...TAKEN, stages: [] },
  { type: "work.prepared", work: WORK, fingerprints: {} },
  { type: "merge.proven", commit: "2".repeat(40), onto: WORK.base },
  { type: "task.merged", commit: "2".repeat(40) },
];

const by = "other";

test.each<[string, TaskEvent[]]>([
  ["cancelled and held by the user", [TAKEN, { type: "task.cancelled", by }]],
  ["blocked", [TAKEN, { type: "task.blocked", why: "no network" }]],
  ["dropped", [{ type: "task.dropped", by }]],
  ["left behind by an execution that died", [TAKEN]],
])("a task that is %s can be retried, and changed at the same time", async (_name, events) => {
  const workspace = await workspaceWith(...events);
  const changed = await changeTask(workspace, "A", { change: { title: "Better" }, status: "todo", by });
  expect(changed).toMatchObject({ status: "todo", held: false, title: "Better" });
  expect((await viewTask(workspace, "A")).history.at(-1)?.event).toEqual({ type: "task.retried", by });
});

test("setting the current value records nothing", async () => {
  const workspace = await workspaceWith();
  await changeTask(workspace, "A", { change: {}, status: "todo", by });
  await changeTask(workspace, "A", { change: {}, status: "cancelled", by });
  await changeTask(workspace, "A", { change: {}, status: "cancelled", by });
  expect((await viewTask(workspace, "A")).history.map(({ event }) => event.type)).toEqual(["task.dropped"]);
});

test.each(["todo", "cancelled"] as const)("a done task cannot become %s", async (status) => {
  const workspace = await workspaceWith(...DONE);
  await expect(changeTask(workspace, "A", { change: {}, status, by })).rejects.toMatchObject({
    code: "task-done",
    hint: expect.stringContaining("ralph task followup"),
  });
});

test("a driven task cannot be changed or removed", async () => {
  const workspace = await workspaceWith(TAKEN);
  const lease = await workspace.leases.take({ kind: "task", id: "A" });
  const held = { code: "task-held", message: "task A is being driven", exitCode: 1 };
  await expect(changeTask(workspace, "A", { change: { priority: 2 }, by })).rejects.toMatchObject(held);
  await expect(removeTask(workspace, "A")).rejects.toMatchObject(held);
  lease?.release();
  expect(await changeTask(workspace, "A", { change: { priority: 2 }, by })).toMatchObject({ priority: 2 });
});

test("a view keeps the end of a long history", async () => {
  const often = Array.from(
    { length: 50 },
    (_, i): TaskEvent => (i % 2 ? { type: "task.retried", by } : { type: "task.dropped", by }),
  );
  const { history, earlier, loops } = await viewTask(await workspaceWith(...often), "A");
  expect({ first: history[0]?.seq, shown: history.length, earlier, loops }).toEqual({
    first: 11,
    shown: 40,
    earlier: 10,
    loops: [],
  });
});
