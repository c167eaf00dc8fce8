// Every figure is a ratio against a baseline measured in the same run. `npm run bench` prints the table of
// docs/performance.md; `npm run bench -- --write` puts it there. Exits 1 when a target is missed.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { boardRow } from "./board.mjs";
import { countingRow } from "./counting.mjs";
import { executeRow } from "./execute.mjs";
import { feedRow } from "./feed.mjs";
import { compare, median, run } from "./measure.mjs";
import { pageRows } from "./page.mjs";
import { roomsRow } from "./rooms.mjs";
import { taskRows } from "./tasks.mjs";
import { viewRows } from "./view.mjs";

const RALPH = resolve("dist/ralph.js");
const PLAYER = resolve("dist/scripted.js");
const GIB = 2 ** 30;
const root = mkdtempSync(join(tmpdir(), "ralph-bench-"));
const rows = [];

function sandbox(name) {
  const cwd = join(root, name);
  mkdirSync(cwd);
  const env = { RALPH_STATE_DIR: join(root, `${name}-state`), NO_COLOR: "1" };
  const script = (file, text) => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), `#!/bin/sh\n${text}\n`);
    chmodSync(join(cwd, file), 0o755);
  };
  const ralph = (args, options = {}) => run(process.execPath, [RALPH, ...args], { cwd, env, ...options });
  const sh = (command) => run("bash", ["-c", command], { cwd, env });
  return { cwd, env, script, ralph, sh };
}

const row = (what, figure, target, ok) => {
  rows.push([what, figure, target, ok ? "yes" : "NO"]);
  console.log(`${ok ? "ok  " : "MISS"} ${what}: ${figure} (target ${target})`);
};
const times = (ratio) => `${ratio.toFixed(2)} ×`;
const ran = async (promise, code) => {
  const result = await promise;
  if (result.code !== code) throw new Error(`exit code ${result.code}, not ${code}: ${result.stderr}`);
  return result;
};

async function iterations() {
  const { script, ralph, sh } = sandbox("iterations");
  script("agent.sh", "echo one\necho two\necho three");
  const bash = async (n) =>
    (
      await ran(
        sh(
          `i=0; while [ $i -lt ${n} ]; do ./agent.sh | tee -a log | grep -q '<promise>DONE' && break; i=$((i+1)); done`,
        ),
        0,
      )
    ).ms;
  const ours = async (n) =>
    (await ran(ralph(["run", "--prompt", "x", "--agent", "./agent.sh", "-m", String(n), "-q"]), 1)).ms;
  // The difference of a long and a short run leaves out start-up.
  const per = async (work) => ((await work(220)) - (await work(20))) / 200;
  const cost = await compare(
    9,
    () => per(bash),
    () => per(ours),
  );
  row(
    "cost of an iteration against bash `agent \\| tee \\| grep`",
    `${times(cost.ratio)} (${cost.ours.toFixed(2)} ms : ${cost.base.toFixed(2)} ms)`,
    "≤ 1.50 ×",
    cost.ratio <= 1.5,
  );
}

async function memory() {
  const { script, ralph } = sandbox("memory");
  script("agent.sh", "echo one\necho two\necho three");
  const samples = [];
  await ran(
    ralph(["run", "--prompt", "x", "--agent", "./agent.sh", "-m", "2000", "-q"], {
      onSample: (rss) => rss && samples.push(rss),
    }),
    1,
  );
  const tenth = Math.ceil(samples.length / 10);
  const growth = median(samples.slice(-tenth)) - median(samples.slice(tenth, 2 * tenth));
  row("memory growth over 2,000 iterations", `${growth.toFixed(1)} MB`, "< 20 MB", growth < 20);
}

async function plainOutput() {
  const box = sandbox("plain");
  const line =
    "The quick brown fox jumps over the lazy dog, <b>bold</b> as brass, and runs the tests: 12 of 12 pass.\n";
  printers(box, line, "agent.sh", "small.sh");
  await outputRate("plain", box, {
    agent: "./agent.sh",
    target: 0.5,
    runs: 3,
    args: (size) => ["--agent", `./${size}.sh`],
  });
}

async function structuredOutput() {
  const box = sandbox("structured");
  const said = {
    type: "text.said",
    text: "I am looking at the parser now, and it seems to drop the last token. ".repeat(3),
  };
  const returned = { type: "tool.returned", summary: "src/parser.ts: 120 lines, ".repeat(40) };
  const line = `${JSON.stringify(said)}\n${JSON.stringify(returned)}\n`;
  const scenario = (name, bytes) =>
    writeFileSync(join(box.cwd, name), JSON.stringify({ iterations: [{ raw: { bytes, of: line } }] }));
  scenario("agent.yaml", GIB);
  scenario("small.yaml", 10 << 20);
  const agent = `${process.execPath} ${PLAYER} agent.yaml < /dev/null`;
  await outputRate("structured", box, { agent, target: 0.2, runs: 2, args: (size) => ["--scenario", `${size}.yaml`] });
}

/** What Claude Code prints: an answer, a tool call, and the tool's output, which is most of it. */
async function claudeOutput() {
  const box = sandbox("claude");
  const message = (content) => ({ type: "assistant", message: { id: "m", model: "m", content }, session_id: "s" });
  const lines = [
    message([{ type: "text", text: "I am looking at the parser now, and it seems to drop the last token." }]),
    message([{ type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } }]),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", content: "12 of 12 pass. ".repeat(200) }] },
    },
  ];
  printers(box, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), "agent/claude", "small/claude");
  await outputRate("Claude's", box, {
    agent: "./agent/claude < /dev/null",
    target: 0.2,
    runs: 2,
    args: (size) => ["--agent", `./${size}/claude`],
  });
}

/** Two programs that print one line repeatedly: 1 GiB of it, and 10 MiB. */
function printers({ cwd, script }, line, big, small) {
  writeFileSync(join(cwd, "block"), line.repeat(Math.ceil((4 << 20) / line.length)));
  script(big, `i=0; while [ $i -lt ${GIB / (4 << 20)} ]; do cat block; i=$((i+1)); done`);
  script(small, "head -c 10485760 block block block");
}

/** How fast output is read, against a pipe into a file, and the memory it needs. */
async function outputRate(kind, { cwd, env, ralph, sh }, { agent, target, runs, args }) {
  const loop = (size) => ralph(["run", "--prompt", "x", "-m", "1", ...args(size)]);
  let peak = 0;
  const { ratio } = await compare(
    runs,
    async () => {
      const { ms } = await ran(sh(`${agent} | tee file > /dev/null`), 0);
      rmSync(join(cwd, "file"));
      return ms;
    },
    async () => {
      const result = await ran(loop("agent"), 1);
      peak = Math.max(peak, result.peakMb);
      rmSync(join(env.RALPH_STATE_DIR, "loops"), { recursive: true });
      return result.ms;
    },
  );
  const rate = 1 / ratio;
  row(
    `rate of 1 GiB of ${kind} output against \`agent \\| tee file\``,
    times(rate),
    `≥ ${target.toFixed(2)} ×`,
    rate >= target,
  );
  const { peakMb } = await ran(loop("small"), 1);
  row(
    `peak memory with 1 GiB of ${kind} output (with 10 MiB)`,
    `${peak.toFixed(0)} MB (${peakMb.toFixed(0)} MB)`,
    "≤ 150 MB, the same",
    peak <= 150 && peak <= peakMb * 1.25 + 10,
  );
}

async function startUp() {
  const { env, script, ralph } = sandbox("startup");
  const bare = async () => (await ran(run(process.execPath, ["-e", "0"]), 0)).ms;
  const version = await compare(15, bare, async () => (await ran(ralph(["--version"]), 0)).ms);
  row("`ralph --version` against `node -e 0`", times(version.ratio), "≤ 1.50 ×", version.ratio <= 1.5);
  // Claude Code waits for this after every turn of every session, and hardly any session has a loop.
  const payload = { session_id: "s", cwd: "/", hook_event_name: "Stop", last_assistant_message: "Done." };
  const hook = async () => (await ran(ralph(["hook", "event", "claude"], { stdin: JSON.stringify(payload) }), 0)).ms;
  const stop = await compare(15, bare, hook);
  row(
    "a host's event of a session without a loop against `node -e 0`",
    times(stop.ratio),
    "≤ 1.50 ×",
    stop.ratio <= 1.5,
  );
  script("agent.sh", "echo '<promise>DONE</promise>'");
  await ran(ralph(["run", "--prompt", "x", "--agent", "./agent.sh", "-q"]), 0);
  multiply(join(env.RALPH_STATE_DIR, "ralph.db"), 10_000);
  const status = await compare(15, bare, async () => (await ran(ralph(["status"]), 0)).ms);
  row("`ralph status` with 10,000 loops against `node -e 0`", times(status.ratio), "≤ 2.50 ×", status.ratio <= 2.5);
}

const board = () => boardRow({ sandbox, row, times, ran });
const counting = () => countingRow({ sandbox, row, times, ran });
const execute = () => executeRow({ sandbox, row, ran });
const tasks = () => taskRows({ sandbox, row, times, ran });
const rooms = () => roomsRow({ sandbox, row, times, ran });
const view = () => viewRows({ sandbox, row });
const page = () => pageRows({ sandbox, row });
const feed = () => feedRow({ sandbox, row, times });

/** Copies the only loop of a journal up to the given number, one in a thousand still running. */
function multiply(path, times) {
  const db = new DatabaseSync(path);
  const columns = db
    .prepare("PRAGMA table_info(loops)")
    .all()
    .map((column) => column.name)
    .filter((name) => name !== "id" && name !== "status");
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${times})
    INSERT INTO loops (id, status, ${columns}) SELECT printf('c%07d', i), CASE WHEN i % 1000 = 0 THEN 'running' ELSE 'stopped' END, ${columns} FROM loops, n;
    INSERT INTO entries (subject, seq, epoch, at_ms, event) SELECT l.id, e.seq, e.epoch, e.at_ms, e.event FROM entries e, loops l WHERE l.id LIKE 'c%' AND e.subject NOT LIKE 'c%';
  `);
  db.close();
}

function report() {
  const table = [
    "| what | measured | target | met |",
    "|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
  const machine = `Measured by \`npm run bench\` on ${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}.`;
  if (!process.argv.includes("--write")) return console.log(`\n${table}\n\n${machine}`);
  const path = "docs/performance.md";
  const marks = /(<!-- bench -->)[\s\S]*(<!-- \/bench -->)/;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(marks, (_all, open, close) => `${open}\n${table}\n\n${machine}\n${close}`),
  );
}

try {
  const only = process.argv[2]?.startsWith("-") ? undefined : process.argv[2];
  for (const part of [
    startUp,
    board,
    tasks,
    feed,
    view,
    page,
    execute,
    rooms,
    counting,
    iterations,
    memory,
    plainOutput,
    structuredOutput,
    claudeOutput,
  ]) {
    if (only === undefined || part.name === only) await part();
  }
  report();
  process.exitCode = rows.every((cells) => cells[3] === "yes") ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
