// The rows about `ralph board`: on a real pseudo-terminal, with 1,000 tasks.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { spawn } from "@lydell/node-pty";
import { compare, median, run } from "./measure.mjs";

const RALPH = resolve("dist/ralph.js");
const TASKS = 1_000;
const KEYS = 200;
const IDLE_MS = 10_000;
/** Ends every frame. */
const FRAME_END = "\u001b[?2026l";

function openBoard({ cwd, env }) {
  const began = performance.now();
  const { NO_COLOR: _, ...own } = { ...process.env, ...env, TERM: "xterm-256color" };
  const pty = spawn(process.execPath, [RALPH, "board"], { cwd, env: own, cols: 200, rows: 60 });
  let framed;
  pty.onData((data) => {
    if (data.includes(FRAME_END)) framed?.();
  });
  const frame = () =>
    new Promise((done) => {
      framed = done;
    });
  const ended = new Promise((done) => {
    pty.onExit(done);
  });
  const quit = () => {
    pty.write("q");
    return ended;
  };
  return { pty, began, frame, quit };
}

/** From the start of the process to its first frame. */
async function startMs(at) {
  const { began, frame, quit } = openBoard(at);
  await frame();
  const ms = performance.now() - began;
  await quit();
  return ms;
}

const processorMs = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export async function boardRow({ sandbox, row, times, ran }) {
  const box = sandbox("board");
  await ran(box.sh("git init -q"), 0);
  const userStories = Array.from({ length: TASKS }, (_, i) => ({
    id: `US-${i}`,
    title: `Story ${i} with a title of some length`,
    acceptanceCriteria: ["It works"],
    priority: i % 5,
  }));
  writeFileSync(join(box.cwd, "prd.json"), JSON.stringify({ project: "bench", userStories }));
  await ran(box.ralph(["task", "import", "prd.json"]), 0);
  const start = await compare(
    9,
    async () => (await run(process.execPath, ["-e", "0"])).ms,
    () => startMs(box),
  );
  row(
    "`ralph board` with 1,000 tasks, to its first frame, against `node -e 0`",
    `${times(start.ratio)} (${start.ours.toFixed(0)} ms)`,
    "≤ 2.00 ×",
    start.ratio <= 2,
  );
  const { pty, frame, quit } = openBoard(box);
  await frame();
  await sleep(2_000);
  const ms = [];
  for (let i = 0; i < KEYS; i++) {
    const began = performance.now();
    const drawn = frame();
    pty.write(i < KEYS / 2 ? "j" : "k");
    await drawn;
    ms.push(performance.now() - began);
  }
  row("its redraw after a key, at 200x60", `${median(ms).toFixed(1)} ms`, "≤ 20 ms", median(ms) <= 20);
  await sleep(2_000);
  const before = processorMs(pty.pid);
  await sleep(IDLE_MS);
  const share = ((processorMs(pty.pid) - before) / IDLE_MS) * 100;
  row("its share of a core while nothing happens", `${share.toFixed(1)} %`, "< 1 %", share < 1);
  await quit();
}
