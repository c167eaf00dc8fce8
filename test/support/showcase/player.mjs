#!/usr/bin/env node
// Plays Claude Code in the showcase: it speaks its stream format and does what `plans.json` beside it says. A plan is
// found by the prompt, `<task> <stage>` or `"words of the prompt"`; its n-th call plays the n-th turn, then the last one.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const HERE = import.meta.dirname;

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit();
}

const prompt = readFileSync(0, "utf8");
const field = (name) => new RegExp(`\\*\\*${name}\\*\\*: *([\\w.-]+)`).exec(prompt)?.[1] ?? "";
const task = field("Task ID");
const stage = field("Agent");
const plans = JSON.parse(readFileSync(join(HERE, "plans.json"), "utf8"));
const name = task
  ? [`${task} ${stage}`, stage].find((one) => plans[one])
  : Object.keys(plans).find((one) => one.startsWith('"') && prompt.includes(one.slice(1, -1)));
const isJudge = prompt.startsWith("You are the judge");
const turns = isJudge
  ? [{ say: judged(), promise: false, cost: 0.01, model: "haiku" }]
  : (plans[name] ?? [{ say: "Worked on it." }]);
const turn = turns[Math.min(isJudge ? 1 : nthCall(`${task || name} ${stage}`), turns.length) - 1];

const model = turn.model ?? "opus";
const print = (line) => console.log(JSON.stringify({ session_id: "showcase", ...line }));
const message = (id, content, usage) => print({ type: "assistant", message: { id, model, content, usage } });
let calls = 0;

print({ type: "system", subtype: "init", model });
if (turn.think) message("m-think", [{ type: "thinking", thinking: turn.think }]);
for (const [path, content] of Object.entries(turn.write ?? {})) {
  mkdirSync(dirname(join(process.cwd(), path)), { recursive: true });
  writeFileSync(path, content);
  tool("Write", { file_path: path, content }, "File written.");
}
for (const command of turn.run ?? []) tool("Bash", { command }, ran(command));
for (let from = 1; from <= (turn.lines ?? 0); from += 1_000) {
  const count = Math.min(1_000, turn.lines - from + 1);
  const lines = Array.from({ length: count }, (_, i) => `\u001b[32m✓\u001b[39m line ${from + i} of ${turn.lines}`);
  message(`m-l${from}`, [{ type: "text", text: lines.join("\n") }]);
}
if (turn.wait) await waiting();
const review = turn.review && `<review>${JSON.stringify(turn.review)}</review>`;
const promise = turn.promise === false ? "" : (/<(promise|response)>[^<\n]+<\/\1>/.exec(prompt)?.[0] ?? "");
const text = [turn.say ?? "Done.", review, promise].filter(Boolean).join("\n\n");
const [input = 9000, output = 900] = turn.tokens ?? [];
message("m-last", [{ type: "text", text }]);
print({
  type: "result",
  subtype: "success",
  is_error: false,
  result: text,
  total_cost_usd: turn.cost ?? 0.12,
  usage: { input_tokens: input, output_tokens: output },
});

/** Approves every criterion, with a line of the change for a quote. */
function judged() {
  const quote = /^\+(?!\+\+)(.{10,})$/m.exec(prompt)?.[1] ?? "";
  const count = Number(/each of the (\d+) criteria/.exec(prompt)?.[1] ?? 1);
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const is = quote ? "proved" : "missing";
  return JSON.stringify({ findings: all.map((criterion) => ({ criterion, is, quote, reason: "The code shows it." })) });
}

function tool(toolName, input, result) {
  const id = `t-${++calls}`;
  message(`m-${calls}`, [{ type: "tool_use", id, name: toolName, input }], { input_tokens: 900, output_tokens: 90 });
  print({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
  });
}

function ran(command) {
  try {
    return execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return `${error.stdout}${error.stderr}`;
  }
}

/** Works until the file `go`, or one of its own, appears beside this program. */
async function waiting() {
  const files = ["src/cart.js", "src/price.js", "test/cart.test.js", "README.md"];
  for (let n = 0; !existsSync(join(HERE, "go")) && !existsSync(join(HERE, `go-${task || "run"}`)); n++) {
    if (n % 20 === 0) {
      tool("Read", { file_path: files[(n / 20) % files.length] }, "…");
      message(`m-w${n}`, [{ type: "text", text: `Reading ${files[(n / 20) % files.length]} (${n / 20 + 1}).` }]);
    }
    // It must not survive the one who waits for its end.
    if (process.ppid === 1) process.exit(1);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Counted in a file, because each call is a process of its own. */
function nthCall(who) {
  const file = join(HERE, "calls");
  appendFileSync(file, `${who}\n`);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line === who).length;
}
