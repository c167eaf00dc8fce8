import type { Feed } from "../../src/core/feed.ts";
import type { LoopStore } from "../../src/core/loop/store.ts";
import type { TaskStore } from "../../src/core/task/store.ts";
import { NO_USAGE } from "../../src/core/usage.ts";
import type { PartEnded, RunEvent, RunStarted } from "../../src/core/workflow/events.ts";
import type { NewMessage, RunStore } from "../../src/core/workflow/store.ts";
import type { BashPart, LoopPart, ParallelPart, Part, StepPart, Workflow } from "../../src/core/workflow/workflow.ts";

const AGENT = { provider: null, model: null, tools: { allowed: null, denied: [] }, idleTimeoutS: null } as const;
const ONCE = { attempts: 0, delayMs: 0 };

export const aStep = (name: string, step: Partial<StepPart> = {}): StepPart => ({
  kind: "step",
  name,
  prompt: { text: `Do ${name}.`, command: null },
  fresh: false,
  retry: ONCE,
  ...AGENT,
  ...step,
});

export const aCommand = (name: string, command: Partial<BashPart> = {}): BashPart => ({
  kind: "bash",
  name,
  command: "true",
  timeoutS: null,
  retry: ONCE,
  ...command,
});

export const aLoop = (name: string, loop: Partial<LoopPart> = {}): LoopPart => ({
  kind: "loop",
  name,
  prompt: { text: `Do ${name}.`, command: null },
  until: "DONE",
  untilBash: null,
  maxIterations: 5,
  freshContext: false,
  verify: null,
  guardrails: [],
  iterationTimeoutS: null,
  maxCostUsd: null,
  ...AGENT,
  ...loop,
});

export const together = (name: string, ...steps: StepPart[]): ParallelPart => ({ kind: "parallel", name, steps });

/** A workflow with only the values that a test names. */
export const someWorkflow = (parts: readonly Part[], workflow: Partial<Workflow> = {}): Workflow => ({
  name: "a-workflow",
  description: "",
  triggers: [],
  provider: null,
  model: null,
  form: "steps",
  parts,
  file: ".ralph/workflows/a-workflow.yaml",
  ...workflow,
});

export const runStarted = (parts: readonly Part[], started: Partial<RunStarted> = {}): RunStarted => ({
  type: "run.started",
  workflow: someWorkflow(parts),
  message: "do it",
  conversation: null,
  cwd: "/repo",
  values: {},
  agent: null,
  ...started,
});

export const runTaken: RunEvent = { type: "run.taken", by: "a test" };

export const partBegan = (
  part: number,
  lane = 0,
  attempt = 1,
  loop: string | null = `l${part}${lane}${attempt}`,
): RunEvent => ({
  type: "part.began",
  part,
  lane,
  attempt,
  loop,
});

export const partEnded = (part: number, ended: Partial<PartEnded> = {}): PartEnded => ({
  type: "part.ended",
  part,
  lane: 0,
  attempt: 1,
  is: "done",
  reason: "finished",
  detail: "",
  iterations: 1,
  output: `said in ${part}`,
  session: null,
  spent: NO_USAGE,
  ...ended,
});

export const runEnded = (status: "completed" | "failed" | "cancelled", detail = ""): RunEvent => ({
  type: "run.ended",
  status,
  detail,
});

export const aMessage = (content: string, message: Partial<NewMessage> = {}): NewMessage => ({
  conversation: { platform: "test", id: "c" },
  role: "user",
  content,
  run: null,
  ...message,
});

/** One empty database, for one test. */
export interface RunStores {
  /** Another connection to it. */
  open(): Promise<LoopStore & { tasks: TaskStore; runs: RunStore; feed: Feed }>;
  /** A process that writes this many entries about a run, one by one. */
  writeElsewhere(run: string, entries: number): Promise<string>;
  /** A process that receives this many messages of a conversation of the platform `test`, named 1, 2, … by it. */
  hearElsewhere(conversation: string, messages: number): Promise<string>;
  /** This many processes load the run, then all write its next entry; they print `won` or the error's code. */
  raceElsewhere(run: string, racers: number): Promise<string[]>;
}
