import { keyName } from "../../../core/complaints.ts";
import type { Fault } from "../../../core/schema/faults.ts";

/** What is wrong with a workflow, where in it, and how to fix it. */
export interface ReadFault extends Fault {
  hint: string;
}

type Path = readonly PropertyKey[];

export const valueFault = (path: Path, what: string, hint: string): ReadFault => ({
  path,
  at: "value",
  text: path.length > 0 ? `${keyName(path)}: ${what}` : what,
  hint,
});

export const keyFault = (path: Path, what: string, hint: string): ReadFault => ({
  ...valueFault(path, what, hint),
  at: "key",
});

const EXAMPLES: Readonly<Record<string, string>> = {
  name: "name: fix-bug",
  description: 'description: "Fixes a bug. Triggers: \\"fix the bug\\""',
  provider: "provider: claude",
  model: "model: sonnet",
  tags: "tags: [review]",
  steps: "steps: [{ command: plan }, { prompt: Implement the plan. }]",
  loop: "loop: { until: COMPLETE, max_iterations: 20 }",
  nodes: "nodes: [{ id: plan, prompt: Plan it. }]",
  prompt: "prompt: Implement the next story.",
  command: "command: plan",
  step: "step: plan",
  parallel: "parallel: [{ command: review }, { command: test }]",
  clearContext: "clearContext: true",
  clear_context: "clear_context: true",
  allowed_tools: "allowed_tools: [Read, Grep]",
  denied_tools: "denied_tools: [Bash]",
  retry: "retry: 2",
  max_attempts: "max_attempts: 2",
  delay_ms: "delay_ms: 3000",
  on_error: "on_error: all",
  until: "until: COMPLETE",
  max_iterations: "max_iterations: 20",
  fresh_context: "fresh_context: true",
  until_bash: "until_bash: npm test",
  verify: "verify: [npm test]",
  guardrails: "guardrails: [npm run lint]",
  failAction: "failAction: APPEND",
  iteration_timeout: "iteration_timeout: 1800",
  max_cost: "max_cost: 5",
  id: "id: plan",
  depends_on: "depends_on: [plan]",
  bash: "bash: npm test",
  context: "context: fresh",
  idle_timeout: "idle_timeout: 600",
};
const IN_MILLISECONDS: Readonly<Record<string, string>> = {
  idle_timeout: "idle_timeout: 600000",
  timeout: "timeout: 120000",
};

/** What a schema found, with a hint. */
export function withHint(fault: Fault): ReadFault {
  const { path, at, text } = fault;
  if (at === "key") {
    return { ...fault, hint: /did you mean|spelling/.test(text) ? "correct or remove the key" : "remove the key" };
  }
  // An item of a list has the name of the list.
  const key = String(path.findLast((part) => typeof part === "string") ?? "");
  const example = (path[0] === "nodes" ? IN_MILLISECONDS[key] : undefined) ?? EXAMPLES[key];
  if (example === undefined) return { ...fault, hint: "docs/workflow-files.md lists every key and its values" };
  return { ...fault, hint: `${/: missing, /.test(text) ? "add" : "write it like"} \`${example}\`` };
}
