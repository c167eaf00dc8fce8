import * as z from "zod";
import { splitWords } from "../shell.ts";
import { command, listSchema, oneOf } from "./atoms.ts";
import { expected, strict } from "./messages.ts";

const perMillion = z.number(expected("dollars per million tokens")).nonnegative(expected("dollars, 0 or more"));
const price = strict(
  {
    input: perMillion.describe("Dollars per million input tokens."),
    output: perMillion.describe("Dollars per million output tokens."),
    cachedInput: perMillion
      .describe("Dollars per million cached input tokens; the price of input by default.")
      .exactOptional(),
  },
  "{ input, output, cachedInput }: dollars per million tokens",
);

const agentObject = strict(
  {
    command: command.describe("The agent: a known one, such as claude or codex, or any program."),
    flags: listSchema(z.string(expected("text")), "flags")
      .describe("Flags added after those that make it run once; `--model opus` may be one entry.")
      .exactOptional(),
    output: oneOf(["stream", "text"])
      .meta({ description: "text: read plain output even if the agent has a structured stream.", default: "stream" })
      .exactOptional(),
    prompt: oneOf(["argument", "stdin"])
      .describe("How the prompt is passed; by default the way that suits the agent best.")
      .exactOptional(),
    price: price.describe("The price of its tokens, for an agent that reports tokens but not dollars.").exactOptional(),
  },
  "{ command, flags }",
);
export type AgentSettings = z.infer<typeof agentObject>;

const commandLine = z.string().transform((line, context): AgentSettings => {
  const [command, ...flags] = splitWords(line) ?? [];
  if (command) return flags.length > 0 ? { command, flags } : { command };
  context.addIssue("not a command line");
  return z.NEVER;
});

export const agent = z.union(
  [commandLine, agentObject],
  expected('a command such as "claude --model opus", or { command, flags }'),
);
