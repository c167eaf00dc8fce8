import * as z from "zod";
import { expected } from "./messages.ts";

/** The request file of the process that runs a plugin. */
export const pluginCall = z.strictObject({
  /** `check`: only load the plugin and validate its configuration. */
  mode: z.enum(["check", "verify"]),
  plugin: z.string(),
  /** The folder to search for the plugin. */
  home: z.string(),
  /** The file for the outcome. */
  outcome: z.string(),
  config: z.record(z.string(), z.unknown()),
  about: z.strictObject({
    cwd: z.string(),
    loop: z.string(),
    iteration: z.int(),
    claim: z.strictObject({ text: z.string(), quote: z.string() }).nullable(),
    acceptanceCriteria: z.array(z.string()),
    outcome: z.string(),
  }),
});
export type PluginCall = z.infer<typeof pluginCall>;

/** The outcome: the plugin is not valid, it is valid, or its answer. */
export const pluginOutcome = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("refused"), reason: z.string(), hint: z.string() }),
  z.strictObject({ is: z.literal("fits") }),
  z.strictObject({ is: z.literal("answered"), answer: z.unknown() }),
]);
export type PluginOutcome = z.infer<typeof pluginOutcome>;

/** The answer of a plugin, which is untrusted. */
export const pluginAnswer = z.strictObject(
  {
    is: z.enum(["pass", "fail", "unknown"], expected("pass, fail or unknown")),
    reason: z.string(expected("text")).trim().min(1, expected("text that is not empty")),
    output: z.string(expected("text")).exactOptional(),
  },
  expected("{ is, reason }"),
);
