import * as z from "zod";
import { LEVELS } from "../proof/level.ts";
import { EARLIER_VERSION, RECEIPT_TYPE, RECEIPT_VERSION } from "../receipt/format.ts";
import { receiptLevel, shownLabels } from "../receipt/level.ts";
import { flag, listSchema, oneOf } from "./atoms.ts";
import { expected } from "./messages.ts";

/*
 * What a receipt holds. Keys that a later version adds are let through: the digest covers them all the same.
 */

const words = z.string(expected("text"));
const maybe = (what: string) => z.string(expected(`${what}, or null`)).nullable();
const hash = z.string(expected("a git hash, or null")).regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, expected("a git hash"));
const hex256 = z.string(expected("a SHA-256")).regex(/^[0-9a-f]{64}$/, expected("64 hexadecimal digits"));
const whole = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
const amount = z.number(expected("a number")).min(0, expected("a number from 0"));
const moment = z.iso.datetime(expected("a moment such as 2026-01-31T12:00:00.000Z"));
const answer = oneOf(["pass", "fail", "unknown"]);
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape, expected("a map"));

/** Seen from the loop's folder, and inside it: a receipt may come from anywhere. */
const folder = words.refine(
  (path) => path !== "" && !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes(".."),
  expected("a folder inside the checkout"),
);

const stageShape = { name: words, method: words, required: flag, criterion: maybe("text") };

/** A command as it has to be run again. A value of `env` that is null was hidden: it comes from the environment. */
const externalStage = object({
  ...stageShape,
  method: z.literal("external"),
  command: words.min(1, expected("a command")),
  /** Part of the command was hidden, so that it cannot be run again. */
  masked: flag.exactOptional(),
  successExitCode: whole.max(255, expected("an exit code")),
  outputContains: listSchema(words, "texts"),
  outputNotContains: listSchema(words, "texts"),
  timeoutMs: z.number(expected("milliseconds")).positive(expected("milliseconds, more than 0")),
  workingDir: folder,
  env: z.record(z.string(), z.string().nullable(), expected("a map of names and texts")),
});
const groupStage = object({
  ...stageShape,
  method: z.literal("multi_stage"),
  requireAll: flag,
  get stages() {
    return listSchema(stage, "stages");
  },
});
const otherStage = object({ ...stageShape, method: words.regex(/^(?!external$|multi_stage$)/, expected("a method")) });
export const stage: z.ZodType<ReceiptStage> = z.union([externalStage, groupStage, otherStage], expected("a stage"));

export type ReceiptCommand = z.infer<typeof externalStage>;
type OtherStage = z.infer<typeof otherStage>;
export interface ReceiptGroup {
  name: string;
  method: "multi_stage";
  required: boolean;
  criterion: string | null;
  requireAll: boolean;
  stages: ReceiptStage[];
  [more: string]: unknown;
}
export type ReceiptStage = ReceiptCommand | ReceiptGroup | OtherStage;

const finding = object({ criterion: words, is: words, quote: words, reason: words });

const check = object({
  name: words,
  method: words,
  command: words,
  is: answer,
  code: z.int(expected("an exit code, or null")).nullable(),
  reason: words,
  ms: amount,
  /** Of its whole output; null where nobody kept it. */
  sha256: hex256.nullable(),
  optional: flag,
  cached: flag,
  since: maybe("text"),
  criterion: maybe("text"),
  findings: listSchema(finding, "findings"),
  label: maybe("text"),
  /** What its output says about tests, where a test runner was recognised. */
  tests: object({ ran: amount, passed: amount, failed: amount, skipped: amount }).exactOptional(),
});
export type ReceiptCheck = z.infer<typeof check>;

const guardrail = object({
  name: words,
  command: words.min(1, expected("a command")),
  masked: flag.exactOptional(),
  timeoutMs: z.number(expected("milliseconds")).positive(expected("milliseconds, more than 0")),
  is: answer,
  code: z.int(expected("an exit code, or null")).nullable(),
  ms: amount,
});

const criteria = object({
  promise: words,
  outcome: words,
  acceptance: listSchema(object({ text: words, proved: flag }), "criteria"),
  stages: listSchema(stage, "stages"),
  rules: listSchema(words, "rules"),
});

const subject = object({
  commit: hash.nullable(),
  /** Of that commit. */
  gitTree: hash.nullable(),
  /** Digest of the commit and of all that differed from it. */
  treeState: hex256.nullable(),
  /** Whether nothing did; null where that is unknown. */
  clean: flag.nullable(),
  /** The loop's folder, seen from the root of the checkout. */
  folder,
});

const usage = object({
  inputTokens: whole,
  cachedTokens: whole,
  outputTokens: whole,
  tokens: whole,
  costUsd: amount,
  unknownTurns: whole.exactOptional(),
});

const shape = {
  type: z.literal(RECEIPT_TYPE, expected(`"${RECEIPT_TYPE}"`)),
  loop: words,
  title: words,
  startedAt: moment,
  tool: object({ name: words, version: words }),
  subject,
  claim: words,
  criteria,
  verdict: words,
  /** Said wherever the receipt is shown: the proof is weaker than it looks. */
  labels: listSchema(words, "labels"),
  checks: listSchema(check, "checks"),
  guardrails: listSchema(guardrail, "guardrails"),
  /** The answer of each check before any work was done. */
  baseline: object({ commit: hash.nullable(), was: z.record(z.string(), answer, expected("a map")) }).nullable(),
  contradictions: listSchema(object({ rule: words, quote: words }), "contradictions"),
  protected: listSchema(object({ path: words, digest: words }), "protected files"),
  agent: object({ command: words, model: maybe("a model") }),
  agents: listSchema(object({ command: words, models: listSchema(words, "models"), iterations: whole }), "agents"),
  iterations: whole,
  usage,
  activeMs: amount,
};

const draft = object({
  ...shape,
  schemaVersion: z.literal(RECEIPT_VERSION, expected(`${RECEIPT_VERSION}, the version that this Ralph writes`)),
  completedAt: moment,
  /** What the completion rests on. */
  proof: oneOf(LEVELS),
  /** What weakens it, in words. */
  weak: listSchema(words, "texts"),
});
/** A receipt before its digest is taken. */
export type Draft = z.infer<typeof draft>;

const digest = z
  .string(expected("its digest"))
  .regex(/^sha256:[0-9a-f]{64}$/, expected("sha256: and 64 hexadecimal digits"));

/** The record of a completion that anybody can check again. */
export const receiptSchema = draft.extend({ digest });
export type Receipt = z.infer<typeof receiptSchema>;

/** A receipt of the version before: every completion was called verified, so its checks say how much it proves. */
export const earlierReceipt = object({
  ...shape,
  schemaVersion: z.literal(EARLIER_VERSION),
  verifiedAt: moment,
  digest,
}).transform(
  ({ verifiedAt, schemaVersion: _earlier, ...receipt }): Receipt => ({
    ...receipt,
    schemaVersion: RECEIPT_VERSION,
    labels: shownLabels(receipt.labels),
    completedAt: verifiedAt,
    proof: receiptLevel(receipt),
    weak: [],
  }),
);
