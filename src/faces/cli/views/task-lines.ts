import { printable, printableText } from "../../../core/ansi.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { LEVEL_WORDS } from "../../../core/proof/level.ts";
import type { CompletionCriteria, TaskCompletionSpec } from "../../../core/schema/criteria.ts";
import { taskEventWords } from "../../../core/task/event-words.ts";
import { AGENT_ROLES, type AgentRole } from "../../../core/task/role.ts";
import { dollars } from "../../../core/usage.ts";
import { clockTime } from "../../../core/view/clock.ts";
import type { TaskView } from "../../../doors/pipeline/tasks/task-view.ts";
import { paint } from "../../terminal/paint.ts";
import { agoOf } from "../output/phrases.ts";
import { toned } from "./end-lines.ts";

export function taskLines(view: TaskView): string[] {
  const { task } = view;
  return [
    `${paint("bold", task.id)}  ${printable(task.title)}`,
    ...factsOf(view).map(([name, value]) => `${paint("dim", name.padEnd(10))} ${value}`),
    ...block("Description", task.description.trim() === "" ? [] : printableText(task.description).split("\n")),
    ...(task.completionSpec ? completionLines(task.completionSpec) : ["", "No criteria: promises alone decide."]),
    ...block("Loops", view.loops.map(loopLine)),
    ...block("History", [
      ...(view.earlier > 0 ? [`… ${view.earlier} earlier`] : []),
      ...view.history.map(({ atMs, event }) => `${clockTime(atMs)}  ${taskEventWords(event)}`),
    ]),
  ];
}

function factsOf({ task, state, dependencies, followups }: TaskView): [string, string][] {
  const open = dependencies.filter(({ status }) => status !== "done");
  const { parent, source } = task.metadata;
  const rows: [string, string][] = [
    ["status", statusLine(task.id, task.status, state)],
    ["proof", state.proof ? toned(state.proof, `${state.proof}: ${LEVEL_WORDS[state.proof].means}`) : ""],
    ["spec", task.specId],
    ["priority", String(task.priority)],
    ["assignee", printable(task.assignee)],
    ["depends on", dependencies.map(({ id, status }) => `${id} (${status})`).join(", ")],
    ["waits for", open.map(({ id }) => id).join(", ")],
    ["parent", typeof parent === "string" ? printable(parent) : ""],
    ["follow-ups", followups.map(({ id, status }) => `${id} (${status})`).join(", ")],
    ["source", typeof source === "string" ? printable(source) : ""],
    [
      "attempt",
      state.execution === null ? "" : `${state.attempt} of ${state.limits.maxAttempts}, ${state.rounds} sent back`,
    ],
    ["branch", state.work ? `${state.work.branch} (for ${state.work.target})` : ""],
    ["worktree", state.work && !state.merged ? state.work.worktree : ""],
    ["weakened", printable((state.weak ?? []).join("; "))],
    ["failure", state.failure ? printable(`${state.failure.stage}: ${state.failure.reason}`) : ""],
    ["created", `${new Date(task.createdAtMs).toISOString()} (${agoOf(task.createdAtMs)})`],
    ["updated", agoOf(task.updatedAtMs)],
  ];
  return rows.filter(([, value]) => value !== "");
}

function statusLine(id: string, status: string, state: TaskView["state"]): string {
  const { held, blocked, waits, proposedBy } = state;
  if (status === "proposed" && proposedBy !== null)
    return `proposed by ${printable(proposedBy)}: it does not run before \`ralph task accept ${id}\``;
  if (held) return `${status}, held since it was cancelled (ralph task update ${id} --status todo releases it)`;
  if (status === "blocked")
    return `blocked: ${printable(blocked ?? "")} (ralph task update ${id} --status todo tries again)`;
  return waits ? `${status}, waiting: ${printable(waits)}` : status;
}

function completionLines(spec: TaskCompletionSpec): string[] {
  const criteria = spec.acceptance_criteria.map((one) =>
    typeof one === "string"
      ? `- ${printable(one)}`
      : `- ${printable(one.text)}${one.check ? `  [${printable(one.check)}]` : ""}`,
  );
  const agents = AGENT_ROLES.flatMap((agent) => {
    const own = spec[agent];
    return own ? agentLines(agent, own) : [];
  });
  return [
    ...block("Outcome", [printable(spec.outcome)]),
    ...block("Acceptance criteria", criteria),
    ...block("Agents", agents),
  ];
}

function agentLines(agent: AgentRole, criteria: CompletionCriteria): string[] {
  const { promise, description, verification_method, verification_template, ...others } = criteria;
  const { max_iterations, verification_config, ...protection } = others;
  const method = verification_method ?? verification_template ?? "";
  const most = max_iterations ? `, at most ${max_iterations} iterations` : "";
  const head = `${agent}: ${printable(promise)}${method ? `, verified by ${method}` : ""}${most}`;
  const config = Object.entries({ ...verification_config, ...protection }).map(
    ([key, value]) => `  ${key}: ${printable(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  return [head, ...(description ? [`  ${printable(description)}`] : []), ...config];
}

function loopLine({ id, part, reason, status, iteration, costUsd }: LoopSummary): string {
  const cost = costUsd > 0 ? `, ${dollars(costUsd)}` : "";
  return `${id}  ${part?.place ?? ""}  ${reason ? toned(reason, reason) : status}, iteration ${iteration}${cost}`;
}

const block = (head: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ["", paint("bold", head), ...lines.map((line) => `  ${line}`)] : [];
