import { mkdirSync } from "node:fs";
import { openWorkspace } from "../../../src/adapters/store/workspace.ts";
import type { Lease } from "../../../src/core/lease.ts";
import type { LoopEvent } from "../../../src/core/loop/events.ts";
import { loopKind } from "../../../src/core/loop/kind.ts";
import type { TaskEvent } from "../../../src/core/task/events.ts";
import { taskKind } from "../../../src/core/task/kind.ts";
import type { Workspace } from "../../../src/core/workspace.ts";
import { openLedger } from "../../../src/engine/ledger.ts";
import { writeTo } from "../journal.ts";
import { someSpec } from "../spec.ts";
import { began, ended, prepared, someTask, taken } from "../task.ts";
import { claimJudged, turnBegan, turnEnded } from "../turns.ts";

export interface Bulk {
  /** The loops that are driven, by this process. */
  live: readonly string[];
  /** Ends a turn of a driven loop and begins the next one: its iteration becomes the returned one. */
  append(loop: string): Promise<number>;
  /** Releases the driven loops. */
  close(): void;
}

/**
 * Many tasks and loops at once, written as their drivers would. Every second task has been worked on; the first `live`
 * loops are driven by this process, each for a task of its own.
 */
export async function bulk(
  { cwd, state }: { cwd: string; state: string },
  { tasks, loops, live }: { tasks: number; loops: number; live: number },
): Promise<Bulk> {
  mkdirSync(cwd, { recursive: true });
  const workspace = await openWorkspace(cwd, { create: true, stateDir: state });
  const now = Date.now();
  await workspace.tasks.create(
    Array.from({ length: tasks }, (_, i) => taskAt(i)),
    now - DAY_MS,
  );
  for (let i = 0; i < loops; i++) await loopAt(workspace, i, { isLive: i < live, hasTask: i < tasks, now });
  const leases: Lease[] = [];
  for (let i = 0; i < live; i++) {
    for (const subject of [loopSubject(i), ...(i < tasks ? [taskSubject(i)] : [])]) {
      const lease = await workspace.leases.take(subject);
      if (!lease) throw new Error(`${subject.id} is driven by another process`);
      leases.push(lease);
    }
  }
  return {
    live: Array.from({ length: live }, (_, i) => loopId(i)),
    async append(loop) {
      const loaded = await workspace.store.load(loop);
      const n = loaded.state.n;
      const next = turnBegan(n + 1);
      await openLedger(loopKind, loaded, { now: Date.now, store: workspace.store }).write(...turn(n), next);
      return n + 1;
    },
    close() {
      for (const lease of leases) lease.release();
      workspace.close();
    },
  };
}

const DAY_MS = 86_400_000;
const WORDS = ["cart", "mail", "search", "refund", "stock", "login", "invoice", "theme"];
const PLACES = ["coder", "reviewer", "tester", "qa"] as const;

const loopId = (i: number): string => (0x10000000 + i).toString(16);
const taskId = (i: number): string => `TASK-${String(i + 1).padStart(4, "0")}`;
const loopSubject = (i: number) => ({ kind: "loop", id: loopId(i) }) as const;
const taskSubject = (i: number) => ({ kind: "task", id: taskId(i) }) as const;
const placeAt = (i: number) => PLACES[i % PLACES.length] ?? "coder";

const taskAt = (i: number) =>
  someTask(taskId(i), {
    specId: `spec-${i % 5}`,
    title: `Improve the ${WORDS[i % WORDS.length]} in ${1 + (i % 9)} steps`,
    priority: 1 + (i % 5),
    dependencies: i % 7 === 6 ? [taskId(i - 1)] : [],
    completionSpec: { outcome: "It is better", acceptance_criteria: ["It is fast", "It is documented"] },
  });

const turn = (n: number): LoopEvent[] => [
  turnEnded(n, { tools: `tools ${n}` }),
  claimJudged(n, { reason: "npm test: exit code 1", proved: { proved: n % 3, of: 2, which: [] } }),
];

/** A stopped loop has ended as one of these. */
const ENDS = [
  { reason: "verified", detail: "2 of 2 checks pass" },
  { reason: "iteration-limit", detail: "npm test: exit code 1" },
  { reason: "still-green", detail: "2 of 2 checks pass" },
  { reason: "cancelled", detail: "" },
] as const;

async function loopAt(
  { store, tasks }: Workspace,
  i: number,
  { isLive, hasTask, now }: { isLive: boolean; hasTask: boolean; now: number },
): Promise<void> {
  const [id, place] = [loopId(i), placeAt(i)];
  const part = hasTask
    ? { task: taskId(i), place, execution: "e1", description: "It is better", method: "npm test" }
    : null;
  const title = `Improve the ${WORDS[i % WORDS.length]}`;
  const atMs = now - DAY_MS / 2 + i * 1_000;
  await store.create(
    id,
    { type: "loop.started", spec: someSpec({ title, part, door: part ? "pipeline" : "harness" }), fingerprints: {} },
    atMs,
  );
  const end = ENDS[Math.floor(i / PLACES.length) % ENDS.length] ?? ENDS[0];
  const events: LoopEvent[] = [turnBegan(1), ...turn(1), turnBegan(2)];
  if (!isLive) events.push(...turn(2), { type: "loop.stopped", ...end });
  await writeTo(loopKind, store, { id, events, atMs: atMs + 60_000 });
  if (!part) return;
  const before = PLACES.slice(0, PLACES.indexOf(place)).flatMap((one) => [
    began(one, `${id}${one}`),
    ended(one, `${id}${one}`, "verified"),
  ]);
  const start: TaskEvent[] = [{ type: "task.added", by: "a person" }, taken, prepared, ...before, began(place, id)];
  const rest: TaskEvent[] = isLive ? [] : endOf(place, id, end.reason);
  await writeTo(taskKind, tasks, { id: part.task, events: [...start, ...rest], atMs: atMs + 90_000 });
}

function endOf(place: (typeof PLACES)[number], loop: string, reason: (typeof ENDS)[number]["reason"]): TaskEvent[] {
  const stopped = ended(place, loop, reason);
  if (reason === "verified" && place === "qa")
    return [{ ...(stopped as object), proof: "verified" } as TaskEvent, { type: "task.merged", commit: "c1" }];
  if (reason === "iteration-limit") return [stopped, { type: "task.blocked", why: "npm test: exit code 1" }];
  return [stopped];
}
