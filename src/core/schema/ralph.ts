import type * as z from "zod";
import { count, flag, text } from "./atoms.ts";
import { CRITERIA_KEYS, checkConfig } from "./config-check.ts";
import { anyConfig, CONFIGS, DOCUMENT_KEYS, method } from "./criteria.ts";
import { strict } from "./messages.ts";
import { documentSpelling } from "./spelling.ts";

const role = strict(
  {
    enabled: flag.meta({ description: "False: one iteration.", default: true }).exactOptional(),
    max_iterations: count.describe("Iterations after which its loop stops.").exactOptional(),
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
    { keys: CRITERIA_KEYS, configs: CONFIGS },
    context,
  ),
);

/** What settings say about the stages of tasks. */
const ralphSettings = strict(
  {
    enabled: flag.meta({ description: "False: one iteration a stage.", default: true }).exactOptional(),
    default_max_iterations: count.describe("Iterations of a stage that nobody says more about.").exactOptional(),
    default_verification: method.describe("The method of a stage that nobody says more about.").exactOptional(),
    verify_promises: flag
      .meta({ description: "False: no method runs, and the promise alone asks for the end.", default: true })
      .exactOptional(),
    coder: role.describe("The stage that does the work.").exactOptional(),
    reviewer: role.describe("The stage that reviews it.").exactOptional(),
    tester: role.describe("The stage that tests it.").exactOptional(),
    qa: role.describe("The stage that accepts it.").exactOptional(),
  },
  "{ default_max_iterations, coder, reviewer, tester, qa }",
);
export type RalphSettings = z.infer<typeof ralphSettings>;

const KEYS = new Set([...DOCUMENT_KEYS, ...Object.keys(role.shape), ...Object.keys(ralphSettings.shape)]);

/** Reads the `ralph` block of settings, spelt in either way. */
export const readRalphSettings = (value: unknown) => ralphSettings.safeParse(documentSpelling(value, KEYS));
