import type * as z from "zod";
import { RalphError } from "../errors.ts";
import { AGENT_ROLES } from "../task/role.ts";
import { DEFAULT_TASK_LIMITS } from "../task/work.ts";
import { countSchema, flag, listSchema, oneOf, text } from "./atoms.ts";
import { CRITERIA_KEYS, checkConfig } from "./config-check.ts";
import { DOCUMENT_KEYS, setUpShape } from "./criteria.ts";
import { faultsOf } from "./faults.ts";
import { expected, strict } from "./messages.ts";
import { anyConfig, METHOD_CONFIGS, method } from "./methods.ts";
import { documentSpelling } from "./spelling.ts";

const role = strict(
  {
    enabled: flag.meta({ description: "False: one iteration.", default: true }).exactOptional(),
    max_iterations: countSchema.describe("Iterations after which its loop stops.").exactOptional(),
    completion_promise: text.describe("The text of its completion tag.").exactOptional(),
    agent: text.describe("The agent that does its work.").exactOptional(),
    model: text.describe("That agent's model.").exactOptional(),
    verification_method: method.describe("How its claims are verified, unless the task sets a method.").exactOptional(),
    verification_config: anyConfig.describe("The configuration of that method.").exactOptional(),
    verification_template: text.describe("The name of a template instead of a method.").exactOptional(),
  },
  "{ max_iterations, completion_promise }",
).superRefine((given, context) =>
  checkConfig(
    { method: given.verification_method, config: given.verification_config, template: given.verification_template },
    { keys: CRITERIA_KEYS, methods: METHOD_CONFIGS },
    context,
  ),
);

const worktree = strict(setUpShape, "{ setup, cached, timeout }");

const conflict = strict(
  {
    agent: text.describe("The agent that resolves merge conflicts; the coder's by default.").exactOptional(),
    model: text.describe("That agent's model.").exactOptional(),
    max_iterations: countSchema
      .meta({ description: "Iterations after which the user has to resolve them.", default: 5 })
      .exactOptional(),
  },
  "{ agent, model, max_iterations }",
);

const stages = listSchema(oneOf(AGENT_ROLES), "stages")
  .min(1, expected("at least one stage"))
  .refine((given) => new Set(given).size === given.length, expected("each stage once"));

/** Settings for the stages of tasks. */
export const ralphSettings = strict(
  {
    enabled: flag.meta({ description: "False: one iteration a stage.", default: true }).exactOptional(),
    default_max_iterations: countSchema
      .describe("The maximum number of iterations of a stage without its own setting.")
      .exactOptional(),
    default_verification: method.describe("The method of a stage without its own setting.").exactOptional(),
    verify_promises: flag
      .meta({ description: "False: no method runs, and the promise alone decides.", default: true })
      .exactOptional(),
    stages: stages
      .meta({ description: "The stages of a task; always in this order.", default: [...AGENT_ROLES] })
      .exactOptional(),
    max_attempts: countSchema
      .meta({
        description: "How many times a task may fail before it is blocked.",
        default: DEFAULT_TASK_LIMITS.maxAttempts,
      })
      .exactOptional(),
    max_rounds: countSchema
      .meta({
        description: "How many times a task may be sent back to its coder before it is blocked.",
        default: DEFAULT_TASK_LIMITS.maxRounds,
      })
      .exactOptional(),
    max_parallel: countSchema
      .meta({ description: "The maximum number of concurrent tasks.", default: 6 })
      .exactOptional(),
    adaptive: flag
      .meta({
        description: "Derive max_iterations from past completed loops if it is not set.",
        default: false,
      })
      .exactOptional(),
    worktree: worktree.describe("How the worktree of a task, or of `ralph run --worktree`, is set up.").exactOptional(),
    conflict: conflict.describe("Who resolves merge conflicts.").exactOptional(),
    coder: role.describe("The stage that does the work.").exactOptional(),
    reviewer: role.describe("The stage that reviews it.").exactOptional(),
    tester: role.describe("The stage that tests it.").exactOptional(),
    qa: role.describe("The stage that accepts it.").exactOptional(),
  },
  "{ default_max_iterations, coder, reviewer, tester, qa }",
);
export type RalphSettings = z.infer<typeof ralphSettings>;

const KEYS = new Set([
  ...DOCUMENT_KEYS,
  ...[role, worktree, conflict, ralphSettings].flatMap(({ shape }) => Object.keys(shape)),
]);

/** The `ralph` block with snake_case keys. */
export const ralphSpelling = (value: unknown): unknown => documentSpelling(value, KEYS);

/** Parses the `ralph` block of settings, in either spelling. */
export const readRalphSettings = (value: unknown) => ralphSettings.safeParse(ralphSpelling(value));

/** Validates a block merged from several files, which may be valid only separately. */
export function fittingRalph(merged: RalphSettings): RalphSettings {
  const { data, error } = ralphSettings.safeParse(merged);
  if (data) return data;
  const faults = faultsOf(error).map(({ text }) => `ralph.${text}`);
  throw new RalphError("settings-invalid", faults.join("\n"), {
    hint: "the settings files contradict each other here: set verification_method in the file that should win",
  });
}
