import * as z from "zod";
import { DEFAULT_SETUP_TIMEOUT_S, ROOM_MODES } from "../proof/proof.ts";
import { command, countSchema, flag, listSchema, oneOf, secondsSchema, text } from "./atoms.ts";
import { type Context, CRITERIA_KEYS, checkConfig } from "./config-check.ts";
import { expected, strict } from "./messages.ts";
import { anyConfig, CONFIG_KEYS, exactText, judgeSchema, METHOD_CONFIGS, METHOD_WORDS, method } from "./methods.ts";

/** How to set up a fresh checkout. */
export const setUpShape = {
  setup: command.describe("Sets up a fresh checkout; by default the command for its lockfile.").exactOptional(),
  cached: listSchema(text, "folders")
    .describe("Folders created by the setup, cached by the lockfile's hash.")
    .exactOptional(),
  timeout: secondsSchema
    .meta({ description: "Seconds the setup may take.", default: DEFAULT_SETUP_TIMEOUT_S })
    .exactOptional(),
};

const ROOM_WORDS = 'true, false, "oracle" or { mode, setup, cached }';

const cleanRoom = strict(
  {
    mode: oneOf(ROOM_MODES)
      .meta({
        description: "commit: the commit. oracle: the tree at the start plus the changes within the scope.",
        default: "commit",
      })
      .exactOptional(),
    ...setUpShape,
  },
  ROOM_WORDS,
);

const sealed = strict(
  {
    from: text.describe("A file or folder outside the checkout with the hidden checks."),
    to: text.describe("Where it is placed in the oracle room, relative to the loop's folder."),
    run: command.describe("The command that runs it there; it must exit 0."),
    timeout: secondsSchema.describe("Seconds the command may take.").exactOptional(),
    show_names: flag
      .meta({ description: "Name this command to the agent when it fails.", default: false })
      .exactOptional(),
  },
  "{ from, to, run }",
);

/** What keeps the oracle out of the agent's reach. Settings give it for every loop, tasks and criteria override it. */
const oracleShape = {
  scope: listSchema(text, "globs")
    .describe(
      "The only paths that the agent may change: globs, !globs that are excluded, +globs for new files only; the last match counts.",
    )
    .exactOptional(),
  clean_room: z
    .union([z.boolean(), z.literal("oracle"), cleanRoom], expected(ROOM_WORDS))
    .meta({
      description:
        "Run the checks in a fresh checkout elsewhere: of the commit, or of the start plus the changes within the scope.",
      default: false,
    })
    .exactOptional(),
  sealed: listSchema(sealed, "{ from, to, run }")
    .describe("Checks that the agent does not see, placed into the oracle room before they run.")
    .exactOptional(),
  differential: flag
    .meta({ description: "Run the checks once more on the new work with the old tests.", default: false })
    .exactOptional(),
  services: flag
    .meta({
      description: "Processes that a turn leaves running, such as a server, are part of the work.",
      default: false,
    })
    .exactOptional(),
};

/** The keys of the same. */
export const ORACLE_KEYS = Object.keys(oracleShape) as readonly (keyof typeof oracleShape)[];

/** The keys of criteria, wherever they occur. */
const criteriaShape = {
  description: exactText.describe("What success means, for people and for the agent.").exactOptional(),
  verification_method: method.describe(`How a claim is verified: ${METHOD_WORDS}.`).exactOptional(),
  verification_config: anyConfig
    .describe("The configuration of that method, or the parameters of the template.")
    .exactOptional(),
  verification_template: text.describe("The name of a template instead of a method.").exactOptional(),
  timeout: secondsSchema.describe("Seconds the method may take, unless its config sets a timeout.").exactOptional(),
  verify_promises: flag
    .meta({ description: "False: no method runs, and the promise alone decides.", default: true })
    .exactOptional(),
  judge: judgeSchema.describe("Who judges what no command can check, unless a stage sets it.").exactOptional(),
  baseline: flag.meta({ description: "Run the checks once before any work.", default: true }).exactOptional(),
  require_red_first: flag
    .meta({ description: "Refuse to start if the checks already pass.", default: false })
    .exactOptional(),
  missing_ok: flag
    .meta({
      description: "Files that a check's command needs may be missing before the work; the check fails until then.",
      default: false,
    })
    .exactOptional(),
  protect: listSchema(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  allow_test_changes: flag
    .meta({ description: "Existing tests may be deleted, skipped and weakened.", default: false })
    .exactOptional(),
  zero_work_guard: flag
    .meta({
      description: "Refuse a claim if no tool was used and nothing changed (not for reviewer, tester and qa).",
      default: true,
    })
    .exactOptional(),
  nonce: flag.meta({ description: "A fresh token in the promise of every iteration.", default: false }).exactOptional(),
  strict: flag
    .meta({ description: "The promise must be alone on its line, in exact case.", default: false })
    .exactOptional(),
  ...oracleShape,
  cache: flag
    .meta({ description: "Reuse results within an iteration if nothing changed.", default: true })
    .exactOptional(),
  max_parallel: countSchema
    .meta({ description: "The maximum number of concurrent checks.", default: 4 })
    .exactOptional(),
};

const criteriaObject = strict(criteriaShape, "criteria");

const criterion = strict(
  {
    text: exactText.describe("The criterion, in words."),
    check: command.describe("A shell command that exits 0 if the criterion is met.").exactOptional(),
  },
  "text, or { text, check }",
);
const acceptance = listSchema(z.union([exactText, criterion], expected("text, or { text, check }")), "criteria");

const configFits = (given: z.infer<typeof criteriaObject>, context: Context) =>
  checkConfig(
    { method: given.verification_method, config: given.verification_config, template: given.verification_template },
    { keys: CRITERIA_KEYS, methods: METHOD_CONFIGS },
    context,
  );

const promise = text.describe("The text of the completion tag.");

/** What "done" means for one agent's part of a task. */
export const completionCriteria = strict(
  {
    promise,
    ...criteriaShape,
    max_iterations: countSchema.nullable().describe("Iterations after which its loop stops.").exactOptional(),
  },
  "{ promise, description, verification_method }",
).superRefine(configFits);
export type CompletionCriteria = z.infer<typeof completionCriteria>;

/** What "done" means for a task. */
export const taskCompletionSpec = strict(
  {
    outcome: exactText.describe("The result when the task is done, in one sentence."),
    acceptance_criteria: acceptance.describe("What must be true, each with its own check if there is one."),
    coder: completionCriteria.nullable().exactOptional(),
    reviewer: completionCriteria.nullable().exactOptional(),
    tester: completionCriteria.nullable().exactOptional(),
    qa: completionCriteria.nullable().exactOptional(),
    ...oracleShape,
  },
  "{ outcome, acceptance_criteria }",
);
export type TaskCompletionSpec = z.infer<typeof taskCompletionSpec>;

/** The completion of a loop without a task: criteria and the expected result. */
export const completion = strict(
  {
    promise: promise.exactOptional(),
    outcome: exactText.describe("The result when the work is done, in one sentence.").exactOptional(),
    acceptance_criteria: acceptance
      .describe("What must be true, each with its own check if there is one.")
      .exactOptional(),
    ...criteriaShape,
  },
  "{ promise, verification_method, verification_config }",
).superRefine(configFits);
export type Completion = z.infer<typeof completion>;

export type AcceptanceCriterion = z.infer<typeof acceptance>[number];

/** Every built-in key of criteria, to distinguish them from the user's own. */
export const DOCUMENT_KEYS: ReadonlySet<string> = new Set([
  ...[completionCriteria, taskCompletionSpec, completion, criterion, cleanRoom, sealed].flatMap(({ shape }) =>
    Object.keys(shape),
  ),
  ...CONFIG_KEYS,
]);
