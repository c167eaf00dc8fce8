import * as z from "zod";
import { LEVELS } from "../proof/level.ts";
import { EARLIER_VERSION, RECEIPT_TYPE, RECEIPT_VERSION } from "../receipt/format.ts";
import { receiptLevel } from "../receipt/level.ts";
import { flag, listSchema, oneOf } from "./atoms.ts";
import { expected } from "./messages.ts";

/*
 * The contents of a receipt. Keys of a later version are accepted, because the digest covers them too.
 */

const words = z.string(expected("text"));
const maybe = (what: string) => z.string(expected(`${what}, or null`)).nullable();
const hash = z.string(expected("a git hash, or null")).regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, expected("a git hash"));
const hex256 = z.string(expected("a SHA-256")).regex(/^[0-9a-f]{64}$/, expected("64 hexadecimal digits"));
const whole = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
const amount = z.number(expected("a number")).min(0, expected("a number from 0"));
const moment = z.iso.datetime(expected("a timestamp such as 2026-01-31T12:00:00.000Z"));
const answer = oneOf(["pass", "fail", "unknown"]);
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape, expected("a map"));

/** Relative to the loop's folder and inside it, because a receipt is untrusted. */
const folder = words.refine(
  (path) => path !== "" && !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes(".."),
  expected("a folder inside the checkout"),
);

const stageShape = { name: words, method: words, required: flag, criterion: maybe("text") };

/** A command to run again. A null value in `env` was hidden and comes from the environment. */
const externalStage = object({
  ...stageShape,
  method: z.literal("external"),
  command: words.min(1, expected("a command")),
  /** Whether part of the command is hidden, so that it cannot be run again. */
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
  /** The hash of its complete output; null if it was not kept. */
  sha256: hex256.nullable(),
  optional: flag,
  cached: flag,
  since: maybe("text"),
  criterion: maybe("text"),
  findings: listSchema(finding, "findings"),
  label: maybe("text"),
  /** The test counts in its output, if a test runner was recognised. */
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
  /** The only paths that could change; omitted if there was no limit. */
  scope: listSchema(words, "patterns").exactOptional(),
  /** Null if the checks ran in the folder. Receipts of earlier versions may have no mode. */
  cleanRoom: object({ mode: words.exactOptional(), setup: maybe("a command").exactOptional() })
    .nullable()
    .exactOptional(),
  differential: flag.exactOptional(),
  services: flag.exactOptional(),
});

const subject = object({
  commit: hash.nullable(),
  /** The tree of that commit. */
  gitTree: hash.nullable(),
  /** A digest of the commit and of everything that differed from it. */
  treeState: hex256.nullable(),
  /** Whether nothing differed; null if unknown. */
  clean: flag.nullable(),
  /** The loop's folder, relative to the checkout's root. */
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
  /** Shown with the receipt: the proof is weaker than it looks. */
  labels: listSchema(words, "labels"),
  checks: listSchema(check, "checks"),
  guardrails: listSchema(guardrail, "guardrails"),
  /** The result of each check before any work. */
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
  /** The proof level. */
  proof: oneOf(LEVELS),
  /** What weakens it, in words. */
  weak: listSchema(words, "texts"),
});
/** A receipt before its digest is taken. */
export type Draft = z.infer<typeof draft>;

const digest = z
  .string(expected("its digest"))
  .regex(/^sha256:[0-9a-f]{64}$/, expected("sha256: and 64 hexadecimal digits"));

/** The record of a completion, which can be verified again. */
export const receiptSchema = draft.extend({ digest });
export type Receipt = z.infer<typeof receiptSchema>;

/** A receipt of the previous version, which called every completion verified: its level is derived from its checks. */
export const earlierReceipt = object({
  ...shape,
  schemaVersion: z.literal(EARLIER_VERSION),
  verifiedAt: moment,
  digest,
}).transform(
  ({ verifiedAt, schemaVersion: _earlier, ...receipt }): Receipt => ({
    ...receipt,
    schemaVersion: RECEIPT_VERSION,
    // The level already says that.
    labels: receipt.labels.filter((label) => label !== "promise only"),
    completedAt: verifiedAt,
    proof: receiptLevel(receipt),
    weak: [],
  }),
);
