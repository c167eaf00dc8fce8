import { join } from "node:path";
import { openDatabase } from "../../src/adapters/store/driver.ts";
import { type Finished, type Sandbox, sandbox } from "./sandbox.ts";

interface LoopKeys {
  until?: string;
  max?: number;
  fresh?: boolean;
  prompt?: string;
  /** Further lines of the loop. */
  more?: string[];
}

/** A workflow with only a loop, as users write it. */
export const loopYaml = (name: string, keys: LoopKeys = {}): string => {
  const { until = "COMPLETE", max = 10, fresh = false, prompt = "Do the thing.", more = [] } = keys;
  const loop = [`until: ${until}`, `max_iterations: ${max}`, `fresh_context: ${fresh}`, ...more];
  return `name: ${name}
description: Test of a loop
loop:
${loop.map((line) => `  ${line}`).join("\n")}
prompt: |
  ${prompt}
`;
};

/** A sandbox with these workflows, by name. */
export function withWorkflows(finished: Finished, workflows: Record<string, string>): Sandbox {
  const box = sandbox(finished);
  for (const [name, yaml] of Object.entries(workflows)) box.write(`.ralph/workflows/${name}.yaml`, yaml);
  return box;
}

/** A scenario that does some work and prints one text in each iteration: a claim without any work is refused. */
export const saying = (...texts: string[]): string =>
  JSON.stringify({
    iterations: texts.map((text) => ({ steps: [{ append: { path: "work.txt", content: "x" } }, { say: text }] })),
  });

/** The stored columns of a run, by their documented names. */
export interface RunRow {
  id: string;
  status: string;
  current_step_index: number;
  metadata: Record<string, unknown>;
}

/** The rows of `workflow_runs`, oldest first. */
export async function runRows({ state }: Sandbox): Promise<RunRow[]> {
  const db = await openDatabase(join(state, "ralph.db"));
  try {
    const rows = db.prepare("SELECT id, status, current_step_index, metadata FROM workflow_runs ORDER BY age").all();
    return (rows as (Omit<RunRow, "metadata"> & { metadata: string })[]).map((row) => ({
      ...row,
      metadata: JSON.parse(row.metadata),
    }));
  } finally {
    db.close();
  }
}

/** The only run. */
export async function runRow(box: Sandbox): Promise<RunRow> {
  const [row, another] = await runRows(box);
  if (!row || another) throw new Error("expected one run");
  return row;
}

/**
 * A program that prints Claude's stream, writes its arguments and its prompt to `calls`, one line each, and prints
 * the script's output: `$n` is its number of calls. Its `work` reports a write there as a tool call.
 */
export const countingClaude = (script: string): string => `
calls=calls.txt
prompt=$(cat | tr '\\n' ' ')
printf '%s | %s\\n' "$*" "$prompt" >> $calls
n=$(wc -l < $calls | tr -d ' ')
say() { printf '{"type":"assistant","message":{"id":"m-%s","model":"m","content":[{"type":"text","text":"%s"}]},"session_id":"session-%s"}\\n' "$n" "$1" "$n"; }
printf '{"type":"system","subtype":"init","session_id":"session-%s","model":"m"}\\n' "$n"
work() { printf '{"type":"assistant","message":{"id":"t-%s","model":"m","content":[{"type":"tool_use","id":"u-%s","name":"Write","input":{"file_path":"calls.txt"}}]},"session_id":"session-%s"}\\n' "$n" "$n" "$n"; }
${script}
printf '{"type":"result","subtype":"success","is_error":false,"result":"","session_id":"session-%s"}\\n' "$n"
`;
