import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { writeTo } from "../../../test/support/journal.ts";
import { PATIENT } from "../../../test/support/patience.ts";
import { someSpec } from "../../../test/support/spec.ts";
import { began, ended, merged, prepared, someTask, taken } from "../../../test/support/task.ts";
import { openWorkspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import type { Lease } from "../../core/lease.ts";
import type { LoopEvent } from "../../core/loop/events.ts";
import { loopKind } from "../../core/loop/kind.ts";
import type { LoopPulse } from "../../core/pulse.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import { taskKind } from "../../core/task/kind.ts";
import { type BoardView, NO_VIEW } from "../../core/view/board.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openBoard } from "./board.ts";
import { openReader } from "./board-reader.ts";

async function workspaceIn(cwd = temporary()): Promise<Workspace> {
  const workspace = await openWorkspace(cwd, { create: true, stateDir: join(cwd, "state") });
  onTestFinished(() => workspace.close());
  return workspace;
}

function temporary(): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-board-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return cwd;
}

async function freshView(workspace: Workspace): Promise<BoardView> {
  const board = await openBoard(workspace);
  board.close();
  return board.view();
}

const pulse = (n: number): LoopPulse => ({
  agent: `agent ${n}`,
  model: null,
  turnBeganMs: n,
  doing: { kind: "tool", text: `Bash ${n}`, sinceMs: n },
  heardMs: n,
  costUsd: n / 100,
  tokens: n,
});

const TASKS = ["T-1", "T-2", "T-3", "T-4"] as const;
const LOOPS = ["l1", "l2", "l3"] as const;
type Step =
  | { do: "create" | "take" | "finish" | "block" | "cancel" | "retry" | "propose" | "leave" | "remove"; task: string }
  | { do: "title"; task: string; n: number }
  | { do: "fail" | "stage"; task: string; loop: string }
  | { do: "needs"; task: string; other: string }
  | { do: "start" | "stop" | "release"; loop: string }
  | { do: "turn" | "beat" | "end"; loop: string; n: number }
  | { do: "execute" | "over" };

const task = fc.constantFrom("T-1", ...TASKS);
const loop = fc.constantFrom("l1", ...LOOPS);
const n = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom("create", "take", "finish", "finish", "block", "cancel", "retry", "propose", "leave", "remove"),
    task,
  }),
  fc.record({ do: fc.constant("title" as const), task, n }),
  fc.record({ do: fc.constantFrom("fail", "stage", "stage"), task, loop }),
  fc.record({ do: fc.constant("needs" as const), task, other: task }),
  fc.record({ do: fc.constantFrom("start", "start", "stop", "release"), loop }),
  fc.record({ do: fc.constantFrom("turn", "beat", "end"), loop, n }),
  fc.record({ do: fc.constantFrom("execute", "over") }),
) as fc.Arbitrary<Step>;

/** Performs steps on a real workspace, as drivers do: a lease first, then the journal. */
function world(workspace: Workspace) {
  const { tasks, store, pulses, leases } = workspace;
  const held = new Map<string, Lease>();
  let atMs = 10_000;
  const take = async (kind: "loop" | "task" | "execution", id: string) => {
    const lease = held.get(`${kind}/${id}`) ?? (await leases.take({ kind, id }));
    if (lease) held.set(`${kind}/${id}`, lease);
  };
  const release = (name: string) => {
    held.get(name)?.release();
    held.delete(name);
  };
  const tell = (id: string, ...events: TaskEvent[]) => writeTo(taskKind, tasks, { id, events, atMs });
  const say = (id: string, ...events: LoopEvent[]) => writeTo(loopKind, store, { id, events, atMs });
  const act = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case "create":
        return tasks.create([someTask(step.task)], atMs);
      case "propose":
        return tasks.create([someTask(step.task)], atMs, { type: "task.proposed", by: "an agent" });
      case "take":
        await take("task", step.task);
        return tell(step.task, taken, prepared);
      case "stage":
        await store.create(step.loop, started(step.task), atMs);
        await take("loop", step.loop);
        return tell(step.task, began("coder", step.loop));
      case "fail":
        return tell(step.task, ended("coder", step.loop, "iteration-limit"));
      case "finish":
        return tell(step.task, began("qa", "l9"), ended("qa", "l9", "verified"), merged);
      case "block":
        return tell(step.task, { type: "task.blocked", why: "it is not clear" });
      case "cancel":
        return tell(step.task, { type: "task.cancelled", by: "me" });
      case "retry":
        return tell(step.task, { type: "task.retried", by: "me" });
      case "leave":
        await tell(step.task, { type: "task.left", why: "Ctrl-C" });
        return release(`task/${step.task}`);
      case "remove":
        return tasks.remove(step.task);
      case "title":
        return tasks.update(step.task, { title: `Title ${step.n}`, priority: step.n }, atMs);
      case "needs":
        return tasks.update(step.task, { dependencies: [step.other] }, atMs);
      case "start":
        await store.create(step.loop, started(null), atMs);
        return take("loop", step.loop);
      case "stop":
        return say(step.loop, { type: "loop.stopped", reason: "iteration-limit", detail: "" });
      case "release":
        return release(`loop/${step.loop}`);
      case "turn":
        await say(step.loop, turn(step.n + 1));
        return say(step.loop, turnEnded(step.n + 1));
      case "beat":
        return pulses.beat({ kind: "loop", id: step.loop, pulse: pulse(step.n) }, atMs);
      case "end":
        return pulses.end({ kind: "loop", id: step.loop });
      case "execute":
        await take("execution", "e1");
        return pulses.beat({ kind: "execution", id: "e1", pulse: execution(atMs) }, atMs);
      case "over":
        return release("execution/e1");
    }
  };
  return {
    async perform(step: Step): Promise<void> {
      atMs += 7;
      await act(step).catch((error: unknown) => {
        // What is not possible now changes nothing.
        if (!(error instanceof RalphError) && !/UNIQUE/.test(String(error))) throw error;
      });
    },
    close: () => [...held.keys()].forEach(release),
  };
}

const started = (task: string | null): LoopEvent & { type: "loop.started" } => ({
  type: "loop.started",
  spec: someSpec(
    task
      ? { door: "pipeline", part: { execution: "e1", task, place: "coder", description: "", method: "external" } }
      : {},
  ),
  fingerprints: {},
});
const turn = (n: number): LoopEvent => ({
  type: "turn.began",
  ...{ n, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null },
});
const turnEnded = (n: number): LoopEvent => ({
  type: "turn.voided",
  ...{ n, attempt: 1, why: "network", detail: "", retryAtMs: null },
  usage: { inputTokens: n, cachedTokens: 0, outputTokens: 1, costUsd: n / 10 },
});
const execution = (atMs: number) => ({
  holder: { pid: 1, machine: "m" },
  startedMs: 1,
  target: "main",
  slots: [{ task: "T-1", sinceMs: atMs }, null],
  merging: [],
});

/** Reads only what has changed: nothing is read again because it might be outdated. */
const AT_ONCE = { aliveMs: 0, pulsesMs: 0, sureMs: Number.POSITIVE_INFINITY };

/** Tasks of which one waits and one is worked on, so that most steps are possible. */
const FIRST: readonly Step[] = [
  ...TASKS.slice(0, 3).map((task) => ({ do: "create" as const, task })),
  { do: "needs", task: "T-2", other: "T-1" },
  { do: "take", task: "T-1" },
  { do: "stage", task: "T-1", loop: "l1" },
  { do: "beat", loop: "l1", n: 1 },
];

test("after any writes, a view kept by its changes is one opened afresh", { timeout: 600_000 }, async () => {
  const steps = fc.array(fc.record({ step, looks: fc.boolean() }), { minLength: 20, maxLength: 40 });
  const property = fc.asyncProperty(steps, async (all) => {
    const workspace = await workspaceIn();
    const { perform, close } = world(workspace);
    const open = () => openWorkspace(workspace.cwd, { stateDir: workspace.folder.root });
    const reader = openReader(open, workspace.folder, AT_ONCE);
    let view: BoardView = NO_VIEW;
    const look = async () => {
      view = (await reader.refresh(view))?.view ?? view;
    };
    for (const one of FIRST) await perform(one);
    await look();
    for (const { step: one, looks } of all) {
      await perform(one);
      if (looks) await look();
    }
    await look();
    const fresh = await freshView(workspace);
    close();
    reader.close();
    expect(view).toEqual(fresh);
  });
  await fc.assert(property, { numRuns: runs(200) });
});

test("listeners are called for what this process and others write, and share one reader", async () => {
  const workspace = await workspaceIn();
  await workspace.tasks.create([someTask("T-1"), someTask("T-2")], 1);
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  expect(board.view().cards.map(({ id, badge }) => `${id} ${badge}`)).toEqual(["T-1 ready", "T-2 ready"]);
  const heard: string[][] = [[], []];
  for (const one of heard) board.listen(({ cards, subjects }) => one.push(...cards.map(({ id }) => id), ...subjects));
  const other = await workspaceIn(workspace.cwd);
  await writeTo(taskKind, workspace.tasks, { id: "T-1", events: [{ type: "task.blocked", why: "x" }] });
  await expect
    .poll(() => heard, PATIENT)
    .toEqual([
      ["T-1", "task/T-1"],
      ["T-1", "task/T-1"],
    ]);
  await other.tasks.update("T-2", { title: "New" }, 9);
  await expect.poll(() => board.view().cards[1]?.title, PATIENT).toBe("New");
  expect(heard[0]).toEqual(["T-1", "task/T-1", "T-2"]);
});

test("a driver that dies is noticed though it writes nothing", async () => {
  const workspace = await workspaceIn();
  await workspace.store.create("l1", started(null), 1);
  const lease = await workspace.leases.take({ kind: "loop", id: "l1" });
  workspace.pulses.beat({ kind: "loop", id: "l1", pulse: pulse(3) }, Date.now());
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  const line = () => board.view().loops[0];
  expect(line()).toMatchObject({ driven: true, agent: "agent 3", doing: { text: "Bash 3" }, tokens: 3 });
  lease?.release();
  await expect.poll(line, PATIENT).toMatchObject({ driven: false, agent: "", doing: null, tokens: 0 });
});

test("whatever other programs plant among pulses and leases, the view shows the drivers", async () => {
  const workspace = await workspaceIn();
  const { pulses, leases } = workspace.folder;
  await workspace.store.create("l1", started(null), 1);
  const lease = await workspace.leases.take({ kind: "loop", id: "l1" });
  mkdirSync(pulses);
  const own = { kind: "execution", id: "e1" } as const;
  const plant = (id: string, row: unknown) => {
    writeFileSync(join(pulses, `execution-${id}.json`), JSON.stringify(row));
    writeFileSync(join(leases, `execution-${id}.lock`), "A".repeat(5_000));
  };
  plant("e2", { atMs: 1e300, pulse: execution(1e300) });
  plant("e3", { atMs: "\0", pulse: { slots: "\0", merging: 7, holder: [], startedMs: {} } });
  plant("\u001b]0;x\u0007e", { atMs: 1, pulse: {} });
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  workspace.pulses.beat({ kind: "loop", id: "l1", pulse: pulse(3) }, Date.now());
  const its = await workspace.leases.take(own);
  workspace.pulses.beat({ ...own, pulse: execution(5) }, Date.now());
  await expect.poll(() => board.view().executions.map(({ id }) => id), PATIENT).toEqual(["e1"]);
  await expect.poll(() => board.view().loops[0], PATIENT).toMatchObject({ driven: true, agent: "agent 3" });
  expect(board.problem()).toBeNull();
  for (const each of [lease, its]) each?.release();
});

test("a journal that cannot be read is reported once, and once when it can be again", async () => {
  const workspace = await workspaceIn();
  await workspace.tasks.create([someTask("T-1")], 1);
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  const problems: (string | null)[] = [];
  board.listen(
    () => undefined,
    (problem) => problems.push(problem),
  );
  const { database } = workspace.folder;
  renameSync(database, `${database}.away`);
  mkdirSync(database);
  await expect.poll(() => problems, PATIENT).toEqual([expect.stringContaining("ralph.db")]);
  expect(board.problem()).toBe(problems[0]);
  rmdirSync(database);
  renameSync(`${database}.away`, database);
  await expect.poll(() => problems.slice(1), PATIENT).toEqual([null]);
  expect(board.problem()).toBeNull();
});

test("a listener that throws is a warning, and no problem of the journal; others are called", async () => {
  const workspace = await workspaceIn();
  await workspace.tasks.create([someTask("T-1")], 1);
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const heard: string[] = [];
  const onProblem = () => heard.push("problem");
  board.listen(() => {
    throw new Error("a bug of the test");
  }, onProblem);
  board.listen(({ subjects }) => heard.push(...subjects), onProblem);
  await writeTo(taskKind, workspace.tasks, { id: "T-1", events: [{ type: "task.blocked", why: "x" }] });
  await expect.poll(() => warnings, PATIENT).toEqual(["a bug of the test"]);
  expect([board.problem(), heard]).toEqual([null, ["task/T-1"]]);
});

test("a folder without a journal has an empty view, until there is one", async () => {
  const cwd = temporary();
  const board = await openBoard({ cwd, folder: (await openWorkspace(cwd, { stateDir: join(cwd, "state") })).folder });
  onTestFinished(board.close);
  expect(board.view()).toEqual(NO_VIEW);
  const workspace = await workspaceIn(cwd);
  await workspace.tasks.create([someTask("T-1")], 1);
  await expect.poll(() => board.view().cards.map(({ id }) => id), PATIENT).toEqual(["T-1"]);
});

test("what loops have cost today: turns that ended since midnight, and the open ones", async () => {
  const workspace = await workspaceIn();
  const nowMs = Date.now();
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  await workspace.store.create("l1", started(null), 1);
  const ends = (n: number, atMs: number) =>
    writeTo(loopKind, workspace.store, { id: "l1", events: [turn(n), turnEnded(n)], atMs });
  await ends(1, midnight - 1);
  await ends(2, nowMs);
  const open = () => openWorkspace(workspace.cwd, { stateDir: workspace.folder.root });
  const reader = openReader(open, workspace.folder, AT_ONCE);
  const first = (await reader.refresh(NO_VIEW))?.view ?? NO_VIEW;
  expect(first.todayUsd).toBeCloseTo(0.2);
  await ends(3, nowMs);
  const then = (await reader.refresh(first))?.view ?? first;
  expect(then.todayUsd).toBeCloseTo(0.5);
  const lease = await workspace.leases.take({ kind: "loop", id: "l1" });
  workspace.pulses.beat({ kind: "loop", id: "l1", pulse: { ...pulse(4), costUsd: 4 } }, nowMs);
  expect((await reader.refresh(then))?.view.todayUsd).toBeCloseTo(4.5);
  lease?.release();
  reader.close();
});
