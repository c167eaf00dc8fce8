import * as z from "zod";
import { command, listSchema, oneOf } from "./atoms.ts";
import { expected, strict } from "./messages.ts";
import {
  agentShape,
  commandNameSchema,
  exactlyOne,
  loopShape,
  maxIterations,
  partName,
  promptText,
  retry,
  timeoutMilliseconds,
  toolShape,
  until,
} from "./workflow-parts.ts";

const loop = strict(
  {
    prompt: promptText("the text that the loop repeats").describe("What the loop repeats."),
    until: until.describe("The signal that asks for the end; or until_bash instead.").exactOptional(),
    max_iterations: maxIterations.describe("Iterations after which the loop has failed."),
    ...loopShape,
  },
  "{ prompt, until, max_iterations }",
);

/** What a node is, by the key that says so. */
export const NODE_KINDS = ["prompt", "command", "bash", "loop"] as const;

/** A node of Archon's form. Times are in milliseconds, as there. */
export const node = strict(
  {
    id: partName.describe("What other nodes call it."),
    description: z.string(expected("text")).describe("For people.").exactOptional(),
    depends_on: listSchema(partName, "ids of nodes").describe("The node before it.").exactOptional(),
    prompt: promptText("a prompt").describe("What the agent is told.").exactOptional(),
    command: commandNameSchema.describe("A file of .ralph/commands or .archon/commands, without .md.").exactOptional(),
    bash: command.regex(/\S/, expected("a command")).describe("A shell script.").exactOptional(),
    loop: loop.describe("A prompt that is repeated.").exactOptional(),
    ...agentShape,
    ...toolShape,
    context: oneOf(["fresh", "shared"])
      .meta({ description: "A new session, or that of the node before.", default: "shared" })
      .exactOptional(),
    timeout: timeoutMilliseconds.describe("Milliseconds that a bash node may take.").exactOptional(),
    idle_timeout: timeoutMilliseconds.describe("Milliseconds the agent may be silent.").exactOptional(),
    retry: retry.exactOptional(),
  },
  "a node: { id } and one of prompt, command, bash, loop",
).meta(exactlyOne(...NODE_KINDS));
export type WrittenNode = z.infer<typeof node>;
export type WrittenNodeLoop = z.infer<typeof loop>;
export const NODE_LOOP_KEYS: readonly string[] = Object.keys(loop.shape);
