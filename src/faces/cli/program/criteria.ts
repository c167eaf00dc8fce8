import type { Command } from "commander";
import { AGENT_ROLES, type AgentRole } from "../../../core/task/role.ts";
import { nonEmptyText, repeated, wholeNumberArgument } from "./arguments.ts";

/** The flags that define when a task is done. */
export interface CriteriaOptions extends AgentTexts, AgentNumbers {
  outcome?: string;
  acceptance?: string[];
  verify?: string[];
  /** False with `--no-criteria`. */
  criteria?: boolean;
}
type AgentTexts = Partial<Record<`${AgentRole}${"Promise" | "Verify" | "VerifyCmd" | "CriteriaFile"}`, string>>;
type AgentNumbers = Partial<Record<`${AgentRole}MaxIterations`, number>>;

/** Adds the flags that define when a task is done, as a whole and for each agent. */
export function withCriteria(command: Command): Command {
  withConditions(command);
  for (const agent of AGENT_ROLES) {
    command
      .optionsGroup(`Criteria of the ${agent}:`)
      .option(`--${agent}-promise <text>`, "the text of its completion tag", nonEmptyText)
      .option(
        `--${agent}-verify <method>`,
        "string_match, semantic, external, multi_stage or plugin:<name>; external needs a command",
        nonEmptyText,
      )
      .option(`--${agent}-verify-cmd <command>`, "must exit 0 for the claim to count (implies external)", nonEmptyText)
      .option(`--${agent}-max-iterations <n>`, "maximum number of iterations", wholeNumberArgument)
      .option(
        `--${agent}-criteria-file <file>`,
        "its criteria as YAML or JSON; the flags above take precedence",
        nonEmptyText,
      );
  }
  return command;
}

/** Adds the flags that define when a task as a whole is done. */
export const withConditions = (command: Command): Command =>
  command
    .optionsGroup("Criteria:")
    .option("--verify <command>", "a command that must exit 0, in every stage and for the merge (repeatable)", repeated)
    .option("--acceptance <text>", "a condition that the result must meet (repeatable)", repeated)
    .option("--outcome <text>", "the result when it is done, in one sentence", nonEmptyText);

/** The criteria in the flags, by agent. */
export function agentsIn(options: CriteriaOptions) {
  const given = AGENT_ROLES.flatMap((agent) => {
    const flags = {
      ...defined("promise", options[`${agent}Promise`]),
      ...defined("verify", options[`${agent}Verify`]),
      ...defined("verifyCmd", options[`${agent}VerifyCmd`]),
      ...defined("maxIterations", options[`${agent}MaxIterations`]),
      ...defined("file", options[`${agent}CriteriaFile`]),
    };
    return Object.keys(flags).length > 0 ? [[agent, flags] as const] : [];
  });
  return Object.fromEntries(given);
}

const defined = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [name in Name]?: Value };
