import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ProgressReport } from "../../src/core/platform.ts";
import type { RunEvent } from "../../src/core/workflow/events.ts";
import type { RunState } from "../../src/core/workflow/state.ts";
import type { BashPart, LoopPart, Part, StepPart, Workflow } from "../../src/core/workflow/workflow.ts";
import { bundle } from "./bundle.ts";
import { type Finished, type Sandbox, sandbox } from "./sandbox.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const AGENT_PART = { provider: null, model: null, tools: { allowed: null, denied: [] }, idleTimeoutS: null };
const NO_RETRY = { attempts: 0, delayMs: 0 };

export const aStep = (name: string, text: string, more: Partial<StepPart> = {}): StepPart => ({
  ...AGENT_PART,
  kind: "step",
  name,
  prompt: { text, command: null },
  fresh: false,
  retry: NO_RETRY,
  ...more,
});

export const aBash = (name: string, command: string, more: Partial<BashPart> = {}): BashPart => ({
  kind: "bash",
  name,
  command,
  timeoutS: null,
  retry: NO_RETRY,
  ...more,
});

export const aLoop = (name: string, text: string, more: Partial<LoopPart> = {}): LoopPart => ({
  ...AGENT_PART,
  kind: "loop",
  name,
  prompt: { text, command: null },
  until: "COMPLETE",
  untilBash: null,
  maxIterations: 5,
  freshContext: false,
  verify: null,
  guardrails: [],
  iterationTimeoutS: null,
  maxCostUsd: null,
  ...more,
});

export const aWorkflow = (parts: readonly Part[], more: Partial<Workflow> = {}): Workflow => ({
  name: "test",
  description: "A test.",
  triggers: [],
  provider: "claude",
  model: null,
  form: parts.length === 1 && parts[0]?.kind === "loop" ? "loop" : "steps",
  parts,
  file: ".ralph/workflows/test.yaml",
  ...more,
});

/** One call of the fake agent. */
export interface Call {
  prompt: string;
  args: string[];
  /** The session that it was asked to resume. */
  resumed: string | null;
  session: string;
  atMs: number;
}

export interface RunResult {
  id: string;
  told: ProgressReport[];
  events: RunEvent[];
  state: RunState;
  error: string | null;
}

interface Started {
  child: ChildProcess;
  lines(): Record<string, unknown>[];
  saw(text: string): Promise<void>;
  ended: Promise<RunResult>;
}

export interface WorkflowSandbox extends Sandbox {
  /** The agent's work in its n-th call: a shell script; its output is the last message. */
  says(...scripts: string[]): void;
  calls(): Call[];
  begin(workflow: Workflow, message?: string, env?: Record<string, string>): Promise<Started>;
  drive(workflow: Workflow, message?: string, env?: Record<string, string>): Promise<RunResult>;
  again(command: "resume" | "cancel" | "talk", what: string, env?: Record<string, string>): Promise<Started>;
}

let bundled: Promise<string> | undefined;

/** A sandbox with a fake agent under Claude's name, which logs its calls. */
export function workflowSandbox(finished: Finished): WorkflowSandbox {
  const box = sandbox(finished);
  box.initGit();
  box.program("claude", fakeAgent(box.path("..")));
  const start = async (args: readonly string[], env: Record<string, string> = {}): Promise<Started> => {
    bundled ??= bundle("workflow-program.ts");
    const child = spawn(process.execPath, ["--input-type=module", "-", ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        RALPH_STATE_DIR: box.state,
        PATH: `${box.bin}:${process.env.PATH}`,
        RALPH_RUN: undefined,
        ...env,
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin?.end(await bundled);
    return following(child);
  };
  const begin: WorkflowSandbox["begin"] = (workflow, message = "do it", env = {}) => {
    const file = box.write("../workflow.json", JSON.stringify(workflow));
    return start(["run", box.cwd, file, box.write("../message.txt", message)], env);
  };
  return {
    ...box,
    says: (...scripts) => {
      for (const [i, script] of scripts.entries()) box.write(`../say-${i + 1}.sh`, script);
    },
    calls: () =>
      existsSync(box.path("../calls.jsonl"))
        ? box
            .read("../calls.jsonl")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Call)
        : [],
    begin,
    drive: async (...args) => (await begin(...args)).ended,
    again: (command, what, env) => start([command, box.cwd, what], env),
  };
}

function following(child: ChildProcess): Started {
  let text = "";
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (piece) => {
    text += piece;
    for (const look of waiting) look();
  });
  const lines = () =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    child,
    lines,
    saw: (wanted) =>
      new Promise((done) => {
        const look = () => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((done) => {
      child.once("close", () => done(resultOf(lines())));
    }),
  };
}

function resultOf(lines: readonly Record<string, unknown>[]): RunResult {
  const all = <T>(key: string): T[] => lines.flatMap((line) => (key in line ? [line[key] as T] : []));
  return {
    id: all<string>("id").at(-1) ?? "",
    told: all("told"),
    events: all("event"),
    state: all<RunState>("state").at(-1) as RunState,
    error: all<string>("error").at(-1) ?? null,
  };
}

/** Prints Claude's stream. Each call is counted by making a folder, so that two at once get two numbers. */
const fakeAgent = (folder: string): string => `#!/usr/bin/env node
const fs = require("node:fs");
const { execFileSync } = require("node:child_process");
const folder = ${JSON.stringify(folder)};
const prompt = fs.readFileSync(0, "utf8");
const args = process.argv.slice(2);
const at = args.indexOf("--resume");
const resumed = at === -1 ? null : args[at + 1];
let n = 1;
for (;; n++) try { fs.mkdirSync(folder + "/call-" + n); break; } catch {}
const session = resumed ?? "session-" + n;
const out = (line) => fs.writeSync(1, JSON.stringify({ session_id: session, ...line }) + "\\n");
out({ type: "system", subtype: "init", model: "fake" });
fs.appendFileSync(folder + "/calls.jsonl", JSON.stringify({ prompt, args, resumed, session, atMs: Date.now() }) + "\\n");
const script = folder + "/say-" + n + ".sh";
let text = "call " + n;
let failed = false;
if (fs.existsSync(script)) {
  try {
    text = execFileSync("sh", [script], { encoding: "utf8", env: { ...process.env, PROMPT: prompt.slice(0, 50000) } });
  } catch (error) { failed = true; text = String(error.stdout ?? ""); }
}
for (const [i, part] of text.split("\\n---\\n").entries())
  out({ type: "assistant", message: { id: "m-" + n + "-" + i, model: "fake", content: [part.startsWith("TOOL ") ? { type: "tool_use", id: "t", name: "Bash", input: { command: part.slice(5) } } : { type: "text", text: part }] } });
out({ type: "result", subtype: failed ? "error_during_execution" : "success", is_error: failed, result: text });
process.exit(failed ? 1 : 0);
`;
