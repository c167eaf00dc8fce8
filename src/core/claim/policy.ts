import { isBacked } from "../proof/methods.ts";
import type { Proof } from "../proof/proof.ts";

/** The tags that can carry a completion text. */
export type ClaimTag = "promise" | "response";

/** What counts as a claim. The guards against mentions of the tag are on in every policy. */
export interface ClaimPolicy {
  /** The expected text inside the tag. */
  promise: string;
  tags: readonly ClaimTag[];
  /** The first tag of any kind that the guards accept decides, even if its text differs. */
  first: boolean;
  /** Ignores case in the text inside the tag; the case of the tag's name matters only with `ownLine`. */
  ignoreCase: boolean;
  /** The tag must be alone on its line, undecorated. */
  ownLine: boolean;
  /** The bare promise text alone on a line, in exact case, claims as well. */
  bareSignal: boolean;
  /** Searches the claiming message for words that contradict the claim. */
  contradictions: boolean;
  /** `last-message`: the claim must be in the last assistant message with no tool call after it. */
  scope: "iteration" | "last-message";
}

function policy(promise: string, knobs: Partial<ClaimPolicy> = {}): ClaimPolicy {
  return {
    promise,
    tags: ["promise"],
    first: false,
    ignoreCase: true,
    ownLine: false,
    bareSignal: false,
    contradictions: true,
    scope: "last-message",
    ...knobs,
  };
}

interface Form {
  /** The tag exactly as requested: alone on its line, in the same case. */
  strict?: boolean | undefined;
}

const exact = ({ strict = false }: Form): Partial<ClaimPolicy> => (strict ? { ownLine: true, ignoreCase: false } : {});

/** The policy of each door; `claimPolicy` adds the parts that depend on settings and proof. */
export const presets = {
  harness: (promise: string, form: Form = {}): ClaimPolicy =>
    policy(promise, { tags: ["response", "promise"], first: true, ...exact(form) }),
  hook: (promise: string, form: Form = {}): ClaimPolicy => policy(promise, exact(form)),
  workflow: (promise: string): ClaimPolicy => policy(promise, { bareSignal: true }),
  pipeline: (promise: string, form: Form = {}): ClaimPolicy => policy(promise, exact(form)),
};

/** Nothing that the agent says is a claim. */
export const NO_CLAIM: ClaimPolicy = policy("", { tags: [], contradictions: false });

/** What counts as a claim in a loop. The weaker the proof, the smaller the part of the text that may contain it. */
export const claimPolicy = (
  preset: ClaimPolicy,
  { contradictions = true }: { contradictions?: boolean | undefined },
  proof: Pick<Proof, "stages">,
): ClaimPolicy => ({ ...preset, contradictions, scope: isBacked(proof) ? "iteration" : "last-message" });

/** The policy of one turn: with a nonce, only the promise requested in this turn matches. */
export const claimOf = (claim: ClaimPolicy, nonce: string | null): ClaimPolicy =>
  nonce === null ? claim : { ...claim, promise: `${claim.promise} ${nonce}` };
