import { DEFAULT_LIMITS } from "../loop/spec.ts";
import type { Settings } from "../schema/settings.ts";
import type { Proposals } from "./detect.ts";
import { editPermissionOf } from "./permissions.ts";

export interface Answers {
  /** Null: decided later, by `--agent` or by the agents on PATH. */
  agent: string | null;
  mayEdit: boolean;
  verify: readonly string[];
  guardrails: readonly string[];
  commit: boolean;
  maxIterations: number;
}

export function defaultAnswers({ verify, guardrails }: Proposals, agents: readonly string[]): Answers {
  return {
    agent: agents[0] ?? null,
    mayEdit: false,
    verify: verify.map(({ command }) => command),
    guardrails: guardrails.map(({ command }) => command),
    commit: false,
    maxIterations: DEFAULT_LIMITS.maxIterations ?? 10,
  };
}

export function settingsFrom(answers: Answers, schema: string | null): Settings {
  const { agent, verify, guardrails, commit, maxIterations } = answers;
  const permission = answers.mayEdit && agent !== null ? editPermissionOf(agent) : null;
  return {
    ...(schema === null ? {} : { $schema: schema }),
    ...(agent === null ? {} : { agent: { command: agent, ...(permission ? { flags: [permission.flag] } : {}) } }),
    maximumIterations: maxIterations,
    ...(verify.length > 0 ? { verify: [...verify] } : {}),
    ...(guardrails.length > 0
      ? { guardrails: guardrails.map((command) => ({ command, failAction: "APPEND" as const })) }
      : {}),
    ...(commit ? { scm: { tasks: ["commit"] } } : {}),
  };
}

export function remarksOn({ agent, mayEdit, verify }: Answers): string[] {
  const permission = agent === null || mayEdit ? null : editPermissionOf(agent);
  return [
    ...(agent === null ? ["no agent is set: name one with --agent <command>, or install exactly one known agent"] : []),
    ...(permission
      ? [
          `in a loop ${agent} gets no answers, and its edits may be refused; to allow them: "flags": ["${permission.flag}"]`,
        ]
      : []),
    ...(verify.length === 0
      ? ['nothing proves completion yet: add "verify": ["<command that exits 0>"], or loops end on the agent\'s word']
      : []),
  ];
}
