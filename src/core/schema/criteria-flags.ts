import { keyName } from "../complaints.ts";
import { isMap } from "../field.ts";
import { commandConfig } from "../proof/methods/external.ts";
import { aloneConfig } from "../proof/methods.ts";
import { AGENT_ROLES, type AgentRole, ROLES } from "../task/role.ts";
import type { Fault } from "./faults.ts";
import { documentSpelling } from "./spelling.ts";

/** The command line options for one agent's part of a task. */
export interface AgentFlags {
  promise?: string;
  verify?: string;
  verifyCmd?: string;
  maxIterations?: number;
  /** The content of `--<agent>-criteria-file`, or the task's current criteria; flags take precedence. */
  below?: unknown;
}

/** The command line options for a task's completion. */
export interface CriteriaFlags {
  outcome?: string | undefined;
  acceptance?: readonly unknown[] | undefined;
  scope?: readonly string[] | undefined;
  agents: Partial<Record<AgentRole, AgentFlags>>;
}

/** The completion spec given by flags, before validation; null if there are none. */
export function completionOf(
  { outcome, acceptance, scope, agents }: CriteriaFlags,
  title: string,
): Record<string, unknown> | null {
  const given = AGENT_ROLES.flatMap((agent) => {
    const flags = agents[agent];
    return flags ? [[agent, criteriaOf(agent, flags, title)] as const] : [];
  });
  if (outcome === undefined && acceptance === undefined && scope === undefined && given.length === 0) return null;
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(acceptance === undefined ? {} : { acceptance_criteria: acceptance }),
    ...(scope === undefined ? {} : { scope }),
    ...Object.fromEntries(given),
  };
}

function criteriaOf(agent: AgentRole, { promise, verify, verifyCmd, maxIterations, below }: AgentFlags, title: string) {
  const other = documentSpelling(below ?? {});
  if (!isMap(other)) return other;
  const method =
    verify ?? (verifyCmd === undefined ? undefined : (other.verification_method ?? commandConfig(verifyCmd).method));
  return {
    promise: ROLES[agent].promise,
    description: `Complete ${agent} stage for: ${title}`,
    ...other,
    ...(promise === undefined ? {} : { promise }),
    ...(method === undefined ? {} : { verification_method: method }),
    ...configOf(method, verifyCmd, isMap(other.verification_config) ? other.verification_config : null),
    ...(maxIterations === undefined ? {} : { max_iterations: maxIterations }),
  };
}

/** A judge without its own list judges the acceptance criteria. */
function configOf(method: unknown, command: string | undefined, config: Record<string, unknown> | null) {
  if (command !== undefined) return { verification_config: { ...config, command } };
  return config || typeof method !== "string" ? {} : aloneConfig(method);
}

/** The agent whose criteria file contains a fault; null if the fault is in a command line option. */
export function blamedFile({ path }: Fault, agents: CriteriaFlags["agents"]): AgentRole | null {
  const [top, name, key, inner] = path;
  const agent = AGENT_ROLES.find((role) => role === name);
  const flags = agent && agents[agent];
  if (top !== "completion" || !flags || flags.below === undefined) return null;
  const byFlag =
    (key === "promise" && flags.promise !== undefined) ||
    (key === "verification_method" && flags.verify !== undefined) ||
    (key === "max_iterations" && flags.maxIterations !== undefined) ||
    (key === "verification_config" && inner === "command" && flags.verifyCmd !== undefined);
  return byFlag ? null : agent;
}

/** A fault of a task given on the command line, with the name of its flag. */
export function flagFault({ path, text }: Fault): string {
  const key = keyName(path);
  const what = text.startsWith(`${key}: `) ? text.slice(key.length + 2) : text;
  return `${flagAt(path)}: ${what}`;
}

const NAMES: Readonly<Record<string, string>> = {
  id: "<id>",
  spec_id: "<spec>",
  title: "<title>",
  dependencies: "--depends-on",
};
const OF_COMPLETION: Readonly<Record<string, string>> = {
  outcome: "--outcome",
  acceptance_criteria: "--acceptance",
  scope: "--scope",
};
const OF_AGENT: Readonly<Record<string, string>> = {
  promise: "promise",
  verification_method: "verify",
  max_iterations: "max-iterations",
};

function flagAt([top, name, key, inner]: readonly PropertyKey[]): string {
  if (top !== "completion") return NAMES[String(top)] ?? `--${String(top)}`;
  const agent = AGENT_ROLES.find((role) => role === name);
  if (!agent) return OF_COMPLETION[String(name)] ?? "--outcome and --acceptance";
  const command = key === "verification_config" && inner === "command";
  return `--${agent}-${command ? "verify-cmd" : (OF_AGENT[String(key)] ?? "criteria-file")}`;
}
