import * as z from "zod";
import { flag, listSchema, text } from "./atoms.ts";
import { DOCUMENT_KEYS } from "./criteria.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { expected, strict } from "./messages.ts";
import { documentSpelling } from "./spelling.ts";
import { NODE_LOOP_KEYS, node } from "./workflow-node.ts";
import {
  agentShape,
  commandNameSchema,
  exactlyOne,
  loopShape,
  maxIterations,
  partName,
  promptText,
  retry,
  timeoutSeconds,
  toolShape,
  until,
} from "./workflow-parts.ts";

const stepShape = {
  name: partName.describe("The name used by other parts; its command's name by default.").exactOptional(),
  command: commandNameSchema.describe("A file of .ralph/commands or .archon/commands, without .md.").exactOptional(),
  step: commandNameSchema.describe("The same as command.").exactOptional(),
  prompt: promptText("a prompt").describe("The prompt for the agent, instead of a command file.").exactOptional(),
  ...agentShape,
  ...toolShape,
  idle_timeout: timeoutSeconds.describe("Seconds the agent may be silent.").exactOptional(),
  retry: retry.exactOptional(),
};

const step = strict(stepShape, "a step: { command } or { prompt }").meta(exactlyOne("command", "step", "prompt"));

const stepItem = strict(
  {
    ...stepShape,
    clearContext: flag
      .meta({ description: "Start a new session instead of continuing that of the previous steps.", default: false })
      .exactOptional(),
    clear_context: flag.describe("The same as clearContext.").exactOptional(),
    parallel: listSchema(step, "steps")
      .min(1, expected("at least one step"))
      .max(20, expected("at most 20 steps that run together"))
      .describe("Steps that run in parallel, each in its own session.")
      .exactOptional(),
  },
  "a step: { command }, { prompt } or { parallel }",
).meta(exactlyOne("command", "step", "prompt", "parallel"));

const loop = strict(
  {
    until: until.describe("The signal that requests the end, printed as <promise>COMPLETE</promise>."),
    max_iterations: maxIterations.describe("Iterations after which the loop fails."),
    ...loopShape,
    ...toolShape,
    idle_timeout: timeoutSeconds.describe("Seconds the agent may be silent.").exactOptional(),
  },
  "{ until, max_iterations }",
);

const NAME_WORDS = "a name: one line of at most 100 characters, in quotes if it is a number";
const name = z
  .string(expected(NAME_WORDS))
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, expected(NAME_WORDS));

/** A workflow file. Its notation and completeness are checked separately. */
export const workflowSchema = strict(
  {
    name: name.describe("The name that starts it."),
    description: promptText("text that says what it does").describe(
      'What it does. The quoted phrases after `Triggers:` start it, as in Triggers: "fix the bug".',
    ),
    ...agentShape,
    tags: listSchema(text, "texts").describe("Ignored.").exactOptional(),
    steps: listSchema(stepItem, "steps")
      .min(1, expected("at least one step"))
      .describe("The steps, in order.")
      .exactOptional(),
    loop: loop.describe("How many times and until when the prompt is repeated.").exactOptional(),
    prompt: promptText("the text that the loop repeats").describe("What the loop repeats.").exactOptional(),
    nodes: listSchema(node, "nodes")
      .min(1, expected("at least one node"))
      .describe("Archon's format: a chain of prompt, command, bash and loop nodes.")
      .exactOptional(),
  },
  "a workflow: name, description, and steps, or loop with prompt",
).meta({
  title: "A workflow of Ralph",
  description: "A file of .ralph/workflows. Times are in seconds, except those of nodes, which are in milliseconds.",
  oneOf: [
    { required: ["steps"], not: { required: ["prompt"] } },
    { required: ["loop", "prompt"] },
    { required: ["nodes"], not: { required: ["prompt"] } },
  ],
});

export type WrittenWorkflow = z.infer<typeof workflowSchema>;
export type WrittenStep = z.infer<typeof step>;
export type WrittenStepItem = z.infer<typeof stepItem>;
export type WrittenLoop = z.infer<typeof loop>;

/** The keys of a loop, to detect misspelled ones. */
export const LOOP_KEYS: readonly string[] = Object.keys(loop.shape);

const OWN_KEYS = [workflowSchema, loop, stepItem, step, node].flatMap(({ shape }) => Object.keys(shape));
/** Keys with two spellings in the schema, which stay as written. */
const AS_WRITTEN = new Set(["clear_context"]);
const KEYS = new Set([...DOCUMENT_KEYS, ...OWN_KEYS, ...NODE_LOOP_KEYS].filter((key) => !AS_WRITTEN.has(key)));

/** A workflow with snake_case keys. */
export const workflowSpelling = (value: unknown): unknown => documentSpelling(value, KEYS);

/** Parses a workflow with snake_case keys. */
export function readWritten(value: unknown): { data: WrittenWorkflow } | { data: null; faults: Fault[] } {
  const { data, error } = workflowSchema.safeParse(value);
  return data ? { data } : { data: null, faults: faultsOf(error) };
}
