import { setTimeout as sleep } from "node:timers/promises";
import type { TurnFault } from "../../../core/agent.ts";
import { messageOf, RalphError } from "../../../core/errors.ts";
import type { Step } from "../../../core/schema/scenario.ts";
import { runScriptCommand, startDetached } from "../../io/script-command.ts";
import { failedTool } from "../failed-tool.ts";
import { changeFile } from "./files.ts";
import { emit, flood, note, writeOutput } from "./output.ts";

export interface ScriptContext {
  root: string;
  /** Replaces placeholders such as `{{prompt}}` with the run's values. */
  fill(text: string): string;
  env: Readonly<Record<string, string>>;
}

type StepOf<Name extends Step["do"]> = Extract<Step, { do: Name }>;

/** Plays one step. Returns the exit code of a step that ends the run, or null to continue. */
export async function perform(step: Step, stage: ScriptContext): Promise<number | null> {
  switch (step.do) {
    case "say":
      await say([stage.fill(step.text)]);
      return null;
    case "split":
      await say(fragments(stage.fill(step.text), step.every));
      return null;
    case "think":
      await emit({ type: "thought.had", text: stage.fill(step.text) });
      return null;
    case "write":
    case "append":
    case "replace":
    case "delete":
      await useTool(step.do, step.path, () => changeFile(step, stage.root, stage.fill));
      return null;
    case "run":
      await useTool("shell", step.command, () => runScriptCommand(step.command, stage.env));
      return null;
    case "fork":
      await useTool("shell", `${step.command} &`, () => fork(step.command, stage));
      return null;
    case "wait":
      await sleep(step.ms);
      return null;
    case "usage":
      await emit({ type: "usage.reported", usage: step.usage, of: "step" });
      return null;
    case "stderr":
      note(stage.fill(step.text));
      return null;
    case "raw":
      await printRaw(step.output, stage);
      return null;
    case "fail":
      await emit({ type: "turn.failed", fault: faultOf(step, stage) });
      return 1;
    case "exit":
      return step.code;
    case "hang":
      return hang(step.ignore);
  }
}

async function say(parts: readonly string[]): Promise<void> {
  for (const text of parts) await emit({ type: "text.said", text });
  await emit({ type: "message.ended" });
}

/** Splits between characters, never inside one. */
function fragments(text: string, every: number): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / every);
  return Array.from({ length: count }, (_, index) => characters.slice(index * every, (index + 1) * every).join(""));
}

/** The agent continues after a failed tool. Only an invalid scenario ends the run. */
async function useTool(name: string, summary: string, work: () => Promise<string | Ran>): Promise<void> {
  await emit({ type: "tool.called", name, summary });
  try {
    const done = await work();
    if (typeof done === "string") return await emit({ type: "tool.returned", summary: done });
    const { exit, output } = done;
    await emit({ type: "tool.returned", summary: `exit ${exit}\n${output}` });
    if (exit !== 0) await emit(failedTool(name, output, exit));
  } catch (error) {
    if (error instanceof RalphError) throw error;
    const why = `failed: ${messageOf(error)}`;
    note(`${name}: ${why}`);
    await emit({ type: "tool.returned", summary: why });
    await emit(failedTool(name, messageOf(error)));
  }
}

type Ran = Awaited<ReturnType<typeof runScriptCommand>>;

async function fork(command: string, stage: ScriptContext): Promise<string> {
  return `started process ${await startDetached(command, stage.env)}`;
}

async function printRaw(output: StepOf<"raw">["output"], stage: ScriptContext): Promise<void> {
  if (typeof output === "string") await writeOutput(stage.fill(output));
  else await flood(stage.fill(output.of), output.bytes);
}

function faultOf({ fault }: StepOf<"fail">, stage: ScriptContext): TurnFault {
  const detail = stage.fill(fault.detail ?? `rehearsed: ${fault.kind}`);
  if (fault.retryAfter === undefined) return { kind: fault.kind, detail };
  return { kind: fault.kind, detail, retryAtMs: Date.now() + fault.retryAfter };
}

async function hang(ignore: StepOf<"hang">["ignore"]): Promise<never> {
  for (const signal of ignore) process.on(signal, () => note(`ignored ${signal}`));
  if (ignore.length > 0) note(`ignores ${ignore.join(", ")}`);
  // A timer keeps the process alive; a promise alone would not.
  while (true) await sleep(3_600_000);
}
