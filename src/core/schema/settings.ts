import * as z from "zod";
import { FAIL_ACTIONS, NOTICES } from "../loop/spec.ts";
import { expected, strict } from "./messages.ts";

const text = z.string(expected("text")).trim().min(1, expected("text that is not empty"));
const command = z.string(expected("a command")).min(1, expected("a command"));
const flag = z.boolean(expected("true or false"));
const seconds = z.number(expected("seconds")).positive(expected("seconds, more than 0"));
const dollars = z.number(expected("dollars")).positive(expected("dollars, more than 0"));
const count = z.int(expected("a whole number")).min(1, expected("a whole number from 1"));
const countFrom0 = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
const listOf = <Item extends z.ZodType>(item: Item, what: string) => z.array(item, expected(`a list of ${what}`));
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, expected(`one of ${words.join(", ")}`));

const perMillion = z.number(expected("dollars per million tokens")).nonnegative(expected("dollars, 0 or more"));
const price = strict(
  { input: perMillion, output: perMillion, cachedInput: perMillion.exactOptional() },
  "{ input, output, cachedInput }: dollars per million tokens",
);

const agent = strict(
  {
    command,
    flags: listOf(z.string(expected("text")), "flags").exactOptional(),
    output: oneOf(["stream", "text"]).exactOptional(),
    prompt: oneOf(["argument", "stdin"]).exactOptional(),
    price: price.exactOptional(),
  },
  "{ command, flags }",
);
export type AgentSettings = z.infer<typeof agent>;

const guardrail = strict(
  {
    command,
    failAction: oneOf(FAIL_ACTIONS).optional(),
    timeout: seconds.optional(),
    hint: text.optional(),
    parallel: flag.optional(),
  },
  "{ command, failAction }",
);

const scm = strict(
  {
    command: command.optional(),
    tasks: listOf(text, "tasks such as commit and push"),
    message: oneOf(["agent", "title"]).optional(),
  },
  "{ tasks }",
);

const notice = oneOf(NOTICES);
const webhook = z.url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" });
const hook = strict(
  {
    on: z.union([notice, listOf(notice, "notices")], expected(`one of ${NOTICES.join(", ")}, or a list of them`)),
    command: command.exactOptional(),
    webhook: webhook.exactOptional(),
  },
  "{ on, command } or { on, webhook }",
).refine(({ command, webhook }) => (command === undefined) !== (webhook === undefined), {
  error: "expected either command or webhook",
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`. Times are in seconds unless the key ends in `Ms`. */
export const settingsSchema = strict(
  {
    $schema: text.optional(),
    maximumIterations: count.optional(),
    completionResponse: text.optional(),
    completionInstructions: flag.optional(),
    contradictions: flag.optional(),
    outputTruncateChars: count.optional(),
    streamAgentOutput: flag.optional(),
    agent: agent.optional(),
    agents: listOf(agent, "agents").min(1, expected("at least one agent")).optional(),
    context: oneOf(["fresh", "continue"]).optional(),
    verify: listOf(command, "commands").optional(),
    guardrails: listOf(guardrail, "guardrails").optional(),
    scm: scm.optional(),
    notify: listOf(hook, "notifications").optional(),
    protect: listOf(text, "paths").optional(),
    maxCostUsd: dollars.optional(),
    maxTokens: count.optional(),
    timeout: seconds.optional(),
    iterationTimeout: seconds.optional(),
    idleTimeout: seconds.optional(),
    checkTimeout: seconds.optional(),
    graceMs: countFrom0.optional(),
    maxWaitMs: count.optional(),
    stuckAfter: countFrom0.optional(),
  },
  "settings: a JSON object",
).refine(({ agent, agents }) => agent === undefined || agents === undefined, {
  path: ["agents"],
  error: "expected either agent or agents, got both",
});
export type Settings = z.infer<typeof settingsSchema>;
