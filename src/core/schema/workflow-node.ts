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
    until: until.describe("The signal that requests the end; or until_bash instead.").exactOptional(),
    max_iterations: maxIterations.describe("Iterations after which the loop fails."),
    ...loopShape,
  },
  "{ prompt, until, max_iterations }",
);

/** The kinds of nodes, by their key. */
export const NODE_KINDS = ["prompt", "command", "bash", "loop"] as const;

/** A node in Archon's format. Times are in milliseconds, as in Archon. */
export const node = strict(
  {
    id: partName.describe("The id used by other nodes."),
    description: z.string(expected("text")).describe("A description.").exactOptional(),
    depends_on: listSchema(partName, "ids of nodes").describe("The node before it.").exactOptional(),
    prompt: promptText("a prompt").describe("The prompt for the agent.").exactOptional(),
    command: commandNameSchema.describe("A file of .ralph/commands or .archon/commands, without .md.").exactOptional(),
    bash: command.regex(/\S/, expected("a command")).describe("A shell script.").exactOptional(),
    loop: loop.describe("A repeated prompt.").exactOptional(),
    ...agentShape,
    ...toolShape,
    context: oneOf(["fresh", "shared"])
      .meta({ description: "A new session, or that of the previous node.", default: "shared" })
      .exactOptional(),
    timeout: timeoutMilliseconds.describe("Milliseconds a bash node may take.").exactOptional(),
    idle_timeout: timeoutMilliseconds.describe("Milliseconds the agent may be silent.").exactOptional(),
    retry: retry.exactOptional(),
  },
  "a node: { id } and one of prompt, command, bash, loop",
).meta(exactlyOne(...NODE_KINDS));
export type WrittenNode = z.infer<typeof node>;
export type WrittenNodeLoop = z.infer<typeof loop>;
export const NODE_LOOP_KEYS: readonly string[] = Object.keys(loop.shape);
