import { DEFAULT_LIMITS } from "../loop/spec.ts";
import type { Settings } from "../schema/settings.ts";
import type { Proposals } from "./detect.ts";

/** Entries of an agent's flags, and what they allow. */
export interface Permission {
  flags: readonly string[];
  means: string;
}

/** `edit`: edit files and run the check commands. `read`: neither. */
export type Access = "edit" | "everything" | "read";

export interface ChosenAgent {
  command: string;
  /** Those given with it. */
  flags?: readonly string[];
  /** The flags for its access; null for an unknown agent. */
  permissions: {
    /** Null if it has no flag short of everything. */
    edit(checks: readonly string[]): Permission | null;
    everything: Permission;
  } | null;
}

export interface Answers {
  /** Null: decided later, by `--agent` or by the agents on PATH. */
  agent: ChosenAgent | null;
  access: Access;
  verify: readonly string[];
  guardrails: readonly string[];
  /** Empty: no limit. */
  scope: readonly string[];
  commit: boolean;
  maxIterations: number;
}

export function defaultAnswers({ verify, guardrails }: Proposals, agent: ChosenAgent | null): Answers {
  return {
    agent,
    access: "edit",
    verify: verify.map(({ command }) => command),
    guardrails: guardrails.map(({ command }) => command),
    // Some tasks need more: the user decides.
    scope: [],
    commit: false,
    maxIterations: DEFAULT_LIMITS.maxIterations ?? 10,
  };
}

export function settingsFrom(answers: Answers, schema: string | null): Settings {
  const { agent, verify, guardrails, scope, commit, maxIterations } = answers;
  const flags = [...(agent?.flags ?? []), ...(permissionOf(answers)?.flags ?? [])];
  return {
    ...(schema === null ? {} : { $schema: schema }),
    ...(agent === null ? {} : { agent: { command: agent.command, ...(flags.length > 0 ? { flags } : {}) } }),
    maximumIterations: maxIterations,
    ...(verify.length > 0 ? { verify: [...verify] } : {}),
    ...(guardrails.length > 0
      ? { guardrails: guardrails.map((command) => ({ command, failAction: "APPEND" as const })) }
      : {}),
    ...(scope.length > 0 ? { completion: { scope: [...scope] } } : {}),
    ...(commit ? { scm: { tasks: ["commit"] } } : {}),
  };
}

/** The permission that the answers give; null if none. */
function permissionOf({ agent, access, verify, guardrails }: Answers): Permission | null {
  if (!agent?.permissions || access === "read") return null;
  return access === "edit" ? agent.permissions.edit([...guardrails, ...verify]) : agent.permissions.everything;
}

export function remarksOn(answers: Answers): string[] {
  const { agent, verify } = answers;
  return [
    ...(agent === null ? ["no agent is set: name one with --agent <command>, or install exactly one known agent"] : []),
    ...accessRemarks(answers),
    ...(verify.length === 0
      ? ['nothing proves completion yet: add "verify": ["<command that exits 0>"], or loops end on the agent\'s word']
      : []),
  ];
}

/** What the agent may do with the written flags, because no user answers its questions in a loop. */
function accessRemarks(answers: Answers): string[] {
  const { agent, access } = answers;
  if (!agent?.permissions) return [];
  const given = permissionOf(answers);
  const what = access === "everything" ? "do everything" : "edit files and run your check commands";
  if (given) {
    const flags = given.flags.length > 0 ? ` with ${JSON.stringify(given.flags)}` : "";
    return [`${agent.command} may ${what}${flags}: ${given.means}`];
  }
  const { flags, means } = permissionOf({ ...answers, access: "edit" }) ?? agent.permissions.everything;
  if (flags.length === 0) return [];
  const allow = `"flags": ${JSON.stringify(flags)} (${means})`;
  return [`in a loop ${agent.command} gets no answers, and its tools may be refused; to allow them: ${allow}`];
}
