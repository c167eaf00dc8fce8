import * as z from "zod";
import { parseDuration } from "../duration.ts";
import { describe, expected, strict } from "./messages.ts";

// The faults that a scenario can rehearse; Ralph detects the others itself.
const FAULTS = [
  "rate-limited",
  "overloaded",
  "network",
  "auth",
  "bad-session",
  "crashed",
  "permission-denied",
  "context-exceeded",
] as const;
const FAULT_NAMES = FAULTS.join(", ");
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const AFTER_LAST = ["repeat", "fail", "loop"] as const;

// Node's timers overflow a little above 24 days.
const LONGEST_MS = 20 * 86_400_000;
const DURATION = "a duration such as 500ms, 2s or 5m, at most 20d";

const text = z.string(expected("text"));
const someText = text.min(1, expected("text that is not empty"));
const path = z.string(expected("a path")).min(1, expected("a path"));
const command = z.string(expected("a shell command")).min(1, expected("a shell command"));
const wholeFrom0 = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
const wholeFrom1 = z.int(expected("a whole number")).min(1, expected("a whole number from 1"));
const costUsd = z.number(expected("a number")).min(0, expected("a number from 0"));
const exitCode = z.int(expected("an exit code")).min(0, expected("0 to 255")).max(255, expected("0 to 255"));
const duration = z.union([z.number(), z.string()], expected(DURATION)).transform(toMs);
const signal = z.enum(SIGNALS, expected(`one of ${SIGNALS.join(", ")}`));
const faultKind = z.enum(FAULTS, expected(`one of ${FAULT_NAMES}`));

const file = strict({ path, content: text }, "{ path, content }");
const edit = strict({ path, old: someText, new: text }, "{ path, old, new }");
const fragments = strict({ text, every: wholeFrom1 }, "{ text, every }");
const flood = strict({ bytes: wholeFrom0, of: someText }, "{ bytes, of }");
const stubborn = strict({ ignore: z.array(signal, expected("a list of signals")) }, "{ ignore }");
const usage = strict(
  {
    inputTokens: wholeFrom0.default(0),
    cachedTokens: wholeFrom0.default(0),
    outputTokens: wholeFrom0.default(0),
    costUsd: costUsd.default(0),
  },
  "{ inputTokens, cachedTokens, outputTokens, costUsd }",
);
const fault = strict(
  { kind: faultKind, detail: text.exactOptional(), retryAfter: duration.exactOptional() },
  "{ kind, detail, retryAfter }",
);

// A step is written as one key, which becomes a member of the union that the player plays.
const stepKeys = {
  say: text.transform((text) => ({ do: "say" as const, text })),
  think: text.transform((text) => ({ do: "think" as const, text })),
  split: fragments.transform((split) => ({ do: "split" as const, ...split })),
  write: file.transform((file) => ({ do: "write" as const, ...file })),
  append: file.transform((file) => ({ do: "append" as const, ...file })),
  replace: edit.transform((edit) => ({ do: "replace" as const, ...edit })),
  delete: path.transform((path) => ({ do: "delete" as const, path })),
  run: command.transform((command) => ({ do: "run" as const, command })),
  fork: command.transform((command) => ({ do: "fork" as const, command })),
  wait: duration.transform((ms) => ({ do: "wait" as const, ms })),
  usage: usage.transform((usage) => ({ do: "usage" as const, usage })),
  stderr: text.transform((text) => ({ do: "stderr" as const, text })),
  raw: z
    .union([text, flood], expected("text, or { bytes, of }"))
    .transform((output) => ({ do: "raw" as const, output })),
  fail: z
    .union([faultKind, fault], expected(`one of ${FAULT_NAMES}, or { kind, detail, retryAfter }`))
    .transform((fault) => ({ do: "fail" as const, fault: typeof fault === "string" ? { kind: fault } : fault })),
  exit: exitCode.transform((code) => ({ do: "exit" as const, code })),
  hang: z
    .union([z.literal(true), stubborn], expected("true, or { ignore: [SIGINT, SIGTERM] }"))
    .transform((hang) => ({ do: "hang" as const, ignore: hang === true ? [] : hang.ignore })),
};
const STEP_NAMES = Object.keys(stepKeys).join(", ");

const step = strict(stepKeys, "a step, such as `say: …`").partial().transform(onlyStep);
const steps = z.array(step, expected("a list of steps"));
const iteration = strict({ ...stepKeys, steps, retry: steps }, "an iteration: a step, or `steps`")
  .partial()
  .transform(({ steps, retry, ...short }, context): Iteration => {
    const both = steps !== undefined && Object.keys(short).length > 0;
    if (both) context.addIssue({ code: "custom", message: "expected either `steps` or a single step, got both" });
    const first = steps ?? [onlyStep(short, context)];
    return { steps: first, retry: retry ?? first };
  });

/** A rehearsal: what the scripted agent does, one entry per iteration of the loop. */
export const scenarioSchema = strict(
  {
    session: z.string(expected("a session id")).min(1, expected("a session id")).exactOptional(),
    answer: text.exactOptional(),
    afterLast: z.enum(AFTER_LAST, expected(`one of ${AFTER_LAST.join(", ")}`)).default("repeat"),
    iterations: z
      .array(iteration, expected("a list of iterations"))
      .min(1, { error: "expected at least one iteration" }),
  },
  "a scenario: a map with `iterations`",
);

export type Scenario = z.output<typeof scenarioSchema>;
/** One action of the scripted agent. */
export type Step = NonNullable<StepByKey[keyof StepByKey]>;
type StepByKey = { [Key in keyof typeof stepKeys]?: z.output<(typeof stepKeys)[Key]> | undefined };
interface Iteration {
  steps: Step[];
  /** Played instead of `steps` from the second attempt on. */
  retry: Step[];
}

function onlyStep(written: StepByKey, context: z.core.$RefinementCtx): Step {
  // An unknown key is already reported: "no step here" would only repeat it.
  if (context.issues.length > 0) return z.NEVER;
  const [only, ...more] = Object.values(written).filter((value) => value !== undefined);
  if (only !== undefined && more.length === 0) return only;
  const message =
    only === undefined
      ? `expected a step, one of ${STEP_NAMES}`
      : `expected one step per list item, got ${Object.keys(written).join(" and ")}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

function toMs(written: number | string, context: z.core.$RefinementCtx): number {
  const ms = parseDuration(String(written));
  if (ms !== null && ms <= LONGEST_MS) return ms;
  context.addIssue({ code: "custom", message: `expected ${DURATION}, got ${describe(written)}` });
  return z.NEVER;
}
