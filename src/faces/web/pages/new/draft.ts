import { AGENT_ROLES, type AgentRole, ROLES } from "../../../../core/task/role.ts";

const METHODS = ["", "external", "semantic", "multi_stage", "string_match"] as const;
type Method = (typeof METHODS)[number];

/** What the form has for one agent. Without a method, promise and limit, the task does not mention the agent. */
export interface AgentDraft {
  method: Method;
  promise: string;
  maxIterations: string;
  command: string;
  /** One on each line. */
  checkFor: string;
  stages: readonly { name: string; command: string }[];
}

/** What is typed in the form, as text. */
export interface Draft {
  id: string;
  spec: string;
  title: string;
  description: string;
  priority: string;
  dependencies: string;
  assignee: string;
  outcome: string;
  criteria: readonly { text: string; check: string }[];
  agents: Readonly<Record<AgentRole, AgentDraft>>;
}

const NO_STAGE = { name: "", command: "" };
const NEW_AGENT: AgentDraft = {
  ...{ method: "", promise: "", maxIterations: "", command: "", checkFor: "" },
  stages: [NO_STAGE],
};

export const NEW_DRAFT: Draft = {
  ...{ id: "", spec: "", title: "", description: "", priority: "", dependencies: "", assignee: "", outcome: "" },
  criteria: [{ text: "", check: "" }],
  agents: { coder: NEW_AGENT, reviewer: NEW_AGENT, tester: NEW_AGENT, qa: NEW_AGENT },
};

/** A draft that was kept as text. One that is damaged, or of another version of the page, is not used. */
export function draftIn(text: string | null): Draft {
  const kept = text === null ? null : valueIn(text);
  return isLike(kept, NEW_DRAFT) && AGENT_ROLES.every((role) => METHODS.includes(kept.agents[role].method))
    ? kept
    : NEW_DRAFT;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value has the shape of a sample: its texts, its keys, and in its lists what is like their first item. */
function isLike<Sample>(value: unknown, sample: Sample): value is Sample {
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((one) => isLike(one, sample[0]));
  if (typeof sample !== "object" || sample === null) return typeof value === typeof sample;
  if (typeof value !== "object" || value === null) return false;
  const held = new Map(Object.entries(value));
  return Object.entries(sample).every(([key, one]) => isLike(held.get(key), one));
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");
const numberIn = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);

/** Without the rows that are empty, so that an error names the row that is shown. */
export function tidied(draft: Draft): Draft {
  const criteria = draft.criteria.filter(({ text, check }) => text.trim() !== "" || check.trim() !== "");
  const stagesOf = ({ stages }: AgentDraft) => {
    const kept = stages.filter(({ name, command }) => name.trim() !== "" || command.trim() !== "");
    return kept.length > 0 ? kept : [NO_STAGE];
  };
  const tidy = (agent: AgentDraft) => ({ ...agent, stages: stagesOf(agent) });
  const { coder, reviewer, tester, qa } = draft.agents;
  const agents = { coder: tidy(coder), reviewer: tidy(reviewer), tester: tidy(tester), qa: tidy(qa) };
  return { ...draft, agents, criteria: criteria.length > 0 ? criteria : NEW_DRAFT.criteria };
}

/** The task as a file would have it. What was left empty is absent. */
export function documentOf(draft: Draft): Record<string, unknown> {
  const { id, spec, title, description, priority, dependencies, assignee, outcome } = draft;
  const agents = AGENT_ROLES.flatMap((role) => {
    const criteriaOfAgent = agentOf(role, draft.agents[role]);
    return criteriaOfAgent ? [[role, criteriaOfAgent] as const] : [];
  });
  return {
    ...present({ id: id.trim(), spec_id: spec.trim() }),
    title,
    ...present({ description: description.trim(), assignee: assignee.trim() }),
    ...(priority.trim() ? { priority: numberIn(priority) } : {}),
    ...(dependencies.trim() ? { dependencies: dependencies.split(/[\s,]+/).filter(Boolean) } : {}),
    completion_spec: {
      outcome,
      acceptance_criteria: draft.criteria.map(({ text, check }) => ({ text, ...present({ check: check.trim() }) })),
      ...Object.fromEntries(agents),
    },
  };
}

const present = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));

function agentOf(role: AgentRole, agent: AgentDraft): Record<string, unknown> | null {
  const { method, promise, maxIterations } = agent;
  if (method === "" && promise.trim() === "" && maxIterations.trim() === "") return null;
  return {
    promise: promise.trim() || ROLES[role].promise,
    ...(method ? { verification_method: method, verification_config: configOf(agent, method) } : {}),
    ...(maxIterations.trim() ? { max_iterations: numberIn(maxIterations) } : {}),
  };
}

function configOf({ command, checkFor, stages }: AgentDraft, method: Exclude<Method, "">): Record<string, unknown> {
  switch (method) {
    case "external":
      return { command };
    case "semantic":
      // As the command does: without a list of its own, it judges the acceptance criteria.
      return { check_for: linesOf(checkFor).length > 0 ? linesOf(checkFor) : "{{acceptance_criteria}}" };
    case "multi_stage":
      return {
        stages: stages.map((stage) => ({
          ...present({ name: stage.name.trim() }),
          method: "external",
          config: { command: stage.command },
        })),
      };
    case "string_match":
      return {};
  }
}
