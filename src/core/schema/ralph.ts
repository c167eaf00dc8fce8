import type * as z from "zod";
import { RalphError } from "../errors.ts";
import { DEFAULT_TASK_LIMITS } from "../task/events.ts";
import { AGENT_ROLES } from "../task/role.ts";
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
    verification_method: method.describe("How its claims are verified where a task does not say.").exactOptional(),
    verification_config: anyConfig.describe("What that method needs to know.").exactOptional(),
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
    agent: text.describe("The agent that mends conflicts of a merge; the coder's when left out.").exactOptional(),
    model: text.describe("That agent's model.").exactOptional(),
    max_iterations: countSchema
      .meta({ description: "Iterations after which a person has to mend them.", default: 5 })
      .exactOptional(),
  },
  "{ agent, model, max_iterations }",
);

const stages = listSchema(oneOf(AGENT_ROLES), "stages")
  .min(1, expected("at least one stage"))
  .refine((given) => new Set(given).size === given.length, expected("each stage once"));

/** What settings say about the stages of tasks. */
export const ralphSettings = strict(
  {
    enabled: flag.meta({ description: "False: one iteration a stage.", default: true }).exactOptional(),
    default_max_iterations: countSchema.describe("Iterations of a stage that nobody says more about.").exactOptional(),
    default_verification: method.describe("The method of a stage that nobody says more about.").exactOptional(),
    verify_promises: flag
      .meta({ description: "False: no method runs, and the promise alone asks for the end.", default: true })
      .exactOptional(),
    stages: stages
      .meta({ description: "The stages that a task goes through; always in this order.", default: [...AGENT_ROLES] })
      .exactOptional(),
    max_attempts: countSchema
      .meta({
        description: "How often a task may fail before it is blocked.",
        default: DEFAULT_TASK_LIMITS.maxAttempts,
      })
      .exactOptional(),
    max_rounds: countSchema
      .meta({
        description: "How often a task may be sent back to its coder before it is blocked.",
        default: DEFAULT_TASK_LIMITS.maxRounds,
      })
      .exactOptional(),
    max_parallel: countSchema.meta({ description: "Tasks that are worked on at once.", default: 6 }).exactOptional(),
    adaptive: flag
      .meta({
        description: "Take max_iterations from what completed loops of the past needed, where nobody names it.",
        default: false,
      })
      .exactOptional(),
    worktree: worktree.describe("How a task's worktree is made ready.").exactOptional(),
    conflict: conflict.describe("Who mends the conflicts of a merge.").exactOptional(),
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

/** The `ralph` block with the names of the documents. */
export const ralphSpelling = (value: unknown): unknown => documentSpelling(value, KEYS);

/** Reads the `ralph` block of settings, spelt in either way. */
export const readRalphSettings = (value: unknown) => ralphSettings.safeParse(ralphSpelling(value));

/** A block that came together from several files: each may fit by itself, and they not each other. */
export function fittingRalph(merged: RalphSettings): RalphSettings {
  const { data, error } = ralphSettings.safeParse(merged);
  if (data) return data;
  const faults = faultsOf(error).map(({ text }) => `ralph.${text}`);
  throw new RalphError("settings-invalid", faults.join("\n"), {
    hint: "the settings files do not fit each other here: name verification_method in the one that is to win",
  });
}
