import * as z from "zod";
import { command, listSchema, oneOf } from "./atoms.ts";
import { expected, strict } from "./messages.ts";

const perMillion = z.number(expected("dollars per million tokens")).nonnegative(expected("dollars, 0 or more"));
const price = strict(
  {
    input: perMillion.describe("Dollars per million input tokens."),
    output: perMillion.describe("Dollars per million output tokens."),
    cachedInput: perMillion
      .describe("Dollars per million cached input tokens; as input when left out.")
      .exactOptional(),
  },
  "{ input, output, cachedInput }: dollars per million tokens",
);

export const agent = strict(
  {
    command: command.describe("The agent: a known one (claude, codex, amp, gemini, opencode, qwen) or any program."),
    flags: listSchema(z.string(expected("text")), "flags")
      .describe("Flags added after those that make it answer once; `--model opus` may be one entry.")
      .exactOptional(),
    output: oneOf(["stream", "text"])
      .meta({ description: "text: read plain output also where the agent has a structured stream.", default: "stream" })
      .exactOptional(),
    prompt: oneOf(["argument", "stdin"])
      .describe("How it is given the prompt; by default the way that suits it best.")
      .exactOptional(),
    price: price.describe("What its tokens cost, for an agent that tells tokens but not dollars.").exactOptional(),
  },
  "{ command, flags }",
);
export type AgentSettings = z.infer<typeof agent>;
