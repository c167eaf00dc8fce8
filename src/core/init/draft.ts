import type { EditPermission } from "../agent.ts";
import { DEFAULT_LIMITS } from "../loop/spec.ts";
import type { Settings } from "../schema/settings.ts";
import type { Proposals } from "./detect.ts";

export interface ChosenAgent {
  command: string;
  editPermission: EditPermission | null;
}

export interface Answers {
  /** Null: decided later, by `--agent` or by the agents on PATH. */
  agent: ChosenAgent | null;
  mayEdit: boolean;
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
    mayEdit: false,
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
  const permission = answers.mayEdit ? agent?.editPermission : null;
  return {
    ...(schema === null ? {} : { $schema: schema }),
    ...(agent === null
      ? {}
      : { agent: { command: agent.command, ...(permission ? { flags: [permission.flag] } : {}) } }),
    maximumIterations: maxIterations,
    ...(verify.length > 0 ? { verify: [...verify] } : {}),
    ...(guardrails.length > 0
      ? { guardrails: guardrails.map((command) => ({ command, failAction: "APPEND" as const })) }
      : {}),
    ...(scope.length > 0 ? { completion: { scope: [...scope] } } : {}),
    ...(commit ? { scm: { tasks: ["commit"] } } : {}),
  };
}

export function remarksOn({ agent, mayEdit, verify }: Answers): string[] {
  const permission = mayEdit ? null : agent?.editPermission;
  return [
    ...(agent === null ? ["no agent is set: name one with --agent <command>, or install exactly one known agent"] : []),
    ...(permission
      ? [
          `in a loop ${agent?.command} gets no answers, and its edits may be refused; to allow them: "flags": ["${permission.flag}"]`,
        ]
      : []),
    ...(verify.length === 0
      ? ['nothing proves completion yet: add "verify": ["<command that exits 0>"], or loops end on the agent\'s word']
      : []),
  ];
}
