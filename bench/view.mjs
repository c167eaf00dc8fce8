// Rows about what people look at: how soon the view of a workspace opens, and how soon a change reaches its listeners.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { median } from "./measure.mjs";

const TASKS = 1_000;
const DONE = 300;
const BLOCKED = 20;
const LIVE = 50;
const LISTED = 500;
const IDLE_MS = 5_000;

const SOURCE = `
  export { openBoard } from "./src/runtime/view/board.ts";
  export { openWorkspace } from "./src/adapters/store/workspace.ts";
  export { openLedger } from "./src/engine/ledger.ts";
  export { taskKind } from "./src/core/task/kind.ts";
  export { someSpec } from "./test/support/spec.ts";
  export { began, ended, merged, prepared, someTask, taken } from "./test/support/task.ts";
`;

/** The parts as a module, beside dist/, where it finds its packages. */
async function withParts(work) {
  const outfile = resolve("dist/bench-view.mjs");
  const stdin = { contents: SOURCE, resolveDir: resolve("."), loader: "ts" };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  try {
    return await work(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(outfile);
  }
}

const loopId = (i) => `loop${String(i).padStart(4, "0")}`;
const taskId = (i) => `TASK-${String(i).padStart(4, "0")}`;

async function fill(parts, workspace) {
  const { someTask, someSpec, taken, prepared, began, ended, merged } = parts;
  const { tasks, store } = workspace;
  const all = Array.from({ length: TASKS }, (_, i) =>
    someTask(taskId(i), { priority: 1 + (i % 5), dependencies: i % 10 === 0 ? [] : [taskId(i - (i % 10))] }),
  );
  await tasks.create(all, 1);
  const start = (id, spec) => store.create(id, { type: "loop.started", spec: someSpec(spec), fingerprints: {} }, 1);
  for (let i = 0; i < DONE + BLOCKED; i++) {
    const id = taskId(i);
    const part = { task: id, place: "qa", execution: "e", description: "", method: "external" };
    await start(`of-${id}`, { door: "pipeline", part });
    const end = i < DONE ? [ended("qa", `of-${id}`, "verified"), merged] : [{ type: "task.blocked", why: "unclear" }];
    await write(parts, workspace, id, [taken, prepared, began("qa", `of-${id}`), ...end]);
  }
  for (let i = 0; i < LISTED; i++) await start(loopId(i), {});
}

const write = async ({ openLedger, taskKind }, { tasks }, id, events) =>
  openLedger(taskKind, await tasks.load(id), { now: Date.now, store: tasks }).write(...events);

async function opening({ openBoard }, workspace) {
  const ms = [];
  for (let i = 0; i < 15; i++) {
    const from = performance.now();
    const board = await openBoard(workspace);
    ms.push(performance.now() - from);
    if (board.view().cards.length !== TASKS) throw new Error("tasks are missing in the view");
    board.close();
  }
  return median(ms);
}

const pulseOf = (n) => ({
  agent: "claude",
  model: "opus",
  turnBeganMs: n,
  doing: { kind: "tool", text: `Bash npm test ${n}`, sinceMs: n },
  heardMs: n,
  costUsd: 0.1,
  tokens: n,
});

/** The time from a write until a listener has it, while drivers write their pulses once a second. */
async function changing(parts, workspace, board) {
  let n = 0;
  const beats = setInterval(() => {
    const id = loopId(n++ % LIVE);
    workspace.pulses.beat({ kind: "loop", id, pulse: pulseOf(n) }, Date.now());
  }, 1_000 / LIVE);
  const ms = [];
  for (let i = 0; i < 40; i++) {
    const id = taskId(TASKS - 1 - i);
    const from = performance.now();
    const heard = new Promise((resolve) => {
      const listening = board.listen(({ cards }) => {
        if (!cards.some((card) => card.id === id)) return;
        listening.close();
        resolve();
      });
    });
    await write(parts, workspace, id, [{ type: "task.cancelled", by: "bench" }]);
    await heard;
    ms.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 53 * (i % 5)));
  }
  clearInterval(beats);
  return ms.sort((a, b) => a - b);
}

/** The share of a core that an open view needs while nothing happens. */
async function idling() {
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / IDLE_MS;
}

/** The median time of the list of loops, all of them running. */
async function listing({ cwd, env }) {
  const server = spawn(process.execPath, [resolve("dist/ralph.js"), "serve"], { cwd, env: { ...process.env, ...env } });
  try {
    let said = "";
    while (!/http:\/\/\S+/.test(said)) said += (await once(server.stdout, "data"))[0];
    const url = said.match(/http:\/\/127\.0\.0\.1:\d+/)[0];
    const token = readFileSync(join(env.RALPH_STATE_DIR, "server-token"), "utf8").trim();
    const ms = [];
    for (let i = 0; i < 15; i++) {
      const from = performance.now();
      const answer = await fetch(`${url}/api/loops?active=true&limit=${LISTED}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { loops } = await answer.json();
      ms.push(performance.now() - from);
      if (loops.filter(({ held }) => held).length !== LISTED) throw new Error("loops are missing in the list");
    }
    return median(ms);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** Measures and adds the rows. */
export const viewRows = ({ sandbox, row }) =>
  withParts(async (parts) => {
    const box = sandbox("view");
    mkdirSync(box.env.RALPH_STATE_DIR, { recursive: true });
    const workspace = await parts.openWorkspace(box.cwd, { create: true, stateDir: box.env.RALPH_STATE_DIR });
    await fill(parts, workspace);
    for (let i = 0; i < LIVE; i++) await workspace.leases.take({ kind: "loop", id: loopId(i) });
    const open = await opening(parts, workspace);
    row(`opening the view of ${TASKS.toLocaleString("en")} tasks`, `${open.toFixed(0)} ms`, "≤ 40 ms", open <= 40);
    const board = await parts.openBoard(workspace);
    const ms = await changing(parts, workspace, board);
    const [middle, most] = [median(ms), ms[Math.floor(ms.length * 0.95)]];
    row(
      `from a change to a listener of the view with ${LIVE} live loops, median (95 %)`,
      `${middle.toFixed(0)} ms (${most.toFixed(0)} ms)`,
      "≤ 300 ms (95 %)",
      most <= 300,
    );
    const share = await idling();
    row(
      "share of a core that the view needs while nothing happens",
      `${(share * 100).toFixed(2)} %`,
      "≤ 1 %",
      share <= 0.01,
    );
    board.close();
    for (let i = LIVE; i < LISTED; i++) await workspace.leases.take({ kind: "loop", id: loopId(i) });
    const list = await listing(box);
    row(`\`GET /api/loops?limit=${LISTED}\`, all running`, `${list.toFixed(0)} ms`, "≤ 50 ms", list <= 50);
    workspace.close();
  });
