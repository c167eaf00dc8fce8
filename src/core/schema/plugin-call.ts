import * as z from "zod";
import { expected } from "./messages.ts";

/** The request to the process of a plugin, in a file. */
export const pluginCall = z.strictObject({
  /** `check`: it is only found, and its configuration looked at. */
  mode: z.enum(["check", "verify"]),
  plugin: z.string(),
  /** The folder that it is looked for in. */
  home: z.string(),
  /** The file that the outcome goes to. */
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

/** What that process says: what is wrong with the plugin, that nothing is, or what the plugin answered. */
export const pluginOutcome = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("refused"), reason: z.string(), hint: z.string() }),
  z.strictObject({ is: z.literal("fits") }),
  z.strictObject({ is: z.literal("answered"), answer: z.unknown() }),
]);
export type PluginOutcome = z.infer<typeof pluginOutcome>;

/** The answer of a plugin, which is a foreign program. */
export const pluginAnswer = z.strictObject(
  {
    is: z.enum(["pass", "fail", "unknown"], expected("pass, fail or unknown")),
    reason: z.string(expected("text")).trim().min(1, expected("text that is not empty")),
    output: z.string(expected("text")).exactOptional(),
  },
  expected("{ is, reason }"),
);
