// Lets a player of agents work on a few tasks, and draws what it took.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const RALPH = resolve(import.meta.dirname, "../../dist/ralph.js");

/*
 * Speaks as Claude does. By the task and the stage it knows how often it is wrong: every claim but the last is made
 * before the file is there that the check asks for, and one review sends its task back.
 */
const PLAYER = `#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const prompt = readFileSync(0, "utf8");
const read = (pattern) => pattern.exec(prompt)?.[1] ?? "";
const task = read(/\\*\\*Task ID\\*\\*: (\\S+)/);
const agent = read(/\\*\\*Agent\\*\\*: (\\S+)/);
const n = Number(read(/\\*\\*Iteration\\*\\*: (\\d+)/));
const size = Number(read(/Size (\\d)/)) || 1;
const needs = agent === "coder" ? size : agent === "tester" ? Math.ceil(size / 2) : 1 + (size % 2);
const done = n >= needs;
const promise = read(/(<promise>[^<]*<\\/promise>)/);
const name = agent === "tester" ? task + ".test.txt" : task + ".txt";
const sentBack = agent === "reviewer" && size === 4 && readFileSync(name, "utf8").length < 4;
if (agent === "coder" && done) writeFileSync(name, existsSync(name) ? "fixed" : "new");
if (agent === "tester" && done) writeFileSync(name, "tested");
const review = sentBack
  ? "<review>{\\"approved\\": false, \\"findings\\": [\\"" + name + ":1 an empty cart is not handled\\"]}</review>"
  : "<review>{\\"approved\\": true, \\"findings\\": []}</review>";
const claims = done || n % 2 === 1;
const text = ["Worked on it.", ...(agent === "reviewer" && done ? [review] : []), ...(claims ? [promise] : [])].join("\\n\\n");
const usage = { input_tokens: 9000 * size + 2000 * n, output_tokens: 900 * size };
const cost = 0.04 * size + 0.03 * n + (agent === "coder" ? 0.2 : 0.05);
const message = { id: "m", model: "player", content: [{ type: "tool_use", id: "t", name: "Edit", input: { n } }] };
const say = { id: "m2", model: "player", content: [{ type: "text", text }] };
for (const line of [
  { type: "system", subtype: "init", session_id: "s", model: "player" },
  { type: "assistant", message, session_id: "s" },
  { type: "assistant", message: say, session_id: "s" },
  { type: "result", subtype: "success", is_error: false, result: text, session_id: "s", total_cost_usd: cost, usage },
]) console.log(JSON.stringify(line));
`;

const TASKS = [
  ["CART-1", "Add up the cart with its discounts", 4],
  ["CART-2", "Keep the cart between visits", 2],
  ["PAY-1", "Pay by card", 5],
  ["PAY-2", "Refund a payment, in full or in part", 3],
  ["MAIL-1", "Confirm an order by mail", 1],
  ["SEARCH-1", "Search products by name and by what people call them", 3],
  ["LOGIN-1", "Log in with a passkey", 6],
];

/** The picture of `ralph stats` after seven tasks. */
export function statsPicture() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-stats-")));
  const [work, bin] = ["work", "bin"].map((name) => join(root, name));
  for (const folder of [work, bin]) mkdirSync(folder);
  writeFileSync(join(bin, "package.json"), '{"type": "module"}');
  writeFileSync(join(bin, "claude"), PLAYER);
  chmodSync(join(bin, "claude"), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, RALPH_STATE_DIR: join(root, "state") };
  const run = (file, args, stdio = ["ignore", "pipe", "pipe"]) =>
    execFileSync(file, args, { cwd: work, env: { ...env, NO_COLOR: "1" }, encoding: "utf8", stdio });
  const ralph = (...args) => run(process.execPath, [RALPH, ...args]);
  try {
    run("git", ["init", "--quiet", "--initial-branch=main"]);
    for (const [key, value] of Object.entries({ name: "Ada", email: "ada@example.invalid" }))
      run("git", ["config", `user.${key}`, value]);
    run("git", ["commit", "--quiet", "--allow-empty", "-m", "start"]);
    ralph("spec", "create", "shop", "--title", "A little shop");
    for (const [id, title, size] of TASKS) {
      const checks = ["--coder-verify-cmd", `test -s ${id}.txt`, "--tester-verify-cmd", `test -s ${id}.test.txt`];
      const words = ["--outcome", title, "--acceptance", `It works. Size ${size}`];
      const others = ["--reviewer-verify", "string_match", "--qa-verify-cmd", `test -s ${id}.txt`];
      ralph("task", "create", id, "shop", title, ...words, ...checks, ...others);
    }
    ralph("execute", "--agent", "claude", "--max-parallel", "2", "--quiet");
    return ralph("stats", "--svg", "-");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
