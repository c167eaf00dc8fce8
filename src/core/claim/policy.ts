import { isBacked } from "../proof/methods.ts";
import type { Proof } from "../proof/proof.ts";

/** The tags that can carry a completion text. */
export type ClaimTag = "promise" | "response";

/** What counts as a claim. The guards against mentions of the tag are on in every policy. */
export interface ClaimPolicy {
  /** The text wanted inside the tag. */
  promise: string;
  tags: readonly ClaimTag[];
  /** The first tag of any kind that the guards accept decides, even if its text is another one. */
  first: boolean;
  /** Compares the text inside the tag without regard to case; the tag's own name is exact only under `ownLine`. */
  ignoreCase: boolean;
  /** The tag must be alone on its line, undecorated. */
  ownLine: boolean;
  /** The bare promise text alone on a line, in exact case, claims as well. */
  bareSignal: boolean;
  /** Looks for words in the claiming message that speak against the claim. */
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
  /** The tag exactly as it was asked for: alone on its line, in the same case. */
  strict?: boolean | undefined;
}

const exact = ({ strict = false }: Form): Partial<ClaimPolicy> => (strict ? { ownLine: true, ignoreCase: false } : {});

/** The policy of each door; `claimPolicy` adds what depends on the settings and on the proof. */
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

/** The policy of one turn: with a nonce only the promise that was asked for in this very turn matches. */
export const claimOf = (claim: ClaimPolicy, nonce: string | null): ClaimPolicy =>
  nonce === null ? claim : { ...claim, promise: `${claim.promise} ${nonce}` };
