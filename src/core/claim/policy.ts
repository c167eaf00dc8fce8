/** The tags that can carry a completion text. */
export type ClaimTag = "promise" | "response";

/** What counts as a claim behind one door. The guards against mentions of the tag are on in every policy. */
export interface ClaimPolicy {
  /** The text wanted inside the tag. */
  promise: string;
  tags: readonly ClaimTag[];
  /** The first tag of any kind that the guards leave standing decides, even if its text is another one. */
  first: boolean;
  /** Compares the text inside the tag without regard to case; the tag's own name is exact only under `ownLine`. */
  ignoreCase: boolean;
  /** The tag must be alone on its line, undecorated. */
  ownLine: boolean;
  /** The bare promise text alone on a line, in exact case, claims as well. */
  bareSignal: boolean;
  /** Looks for words in the claiming message that speak against the claim. */
  contradictions: boolean;
  /** `last-message`: the claim must stand in the last assistant message with no tool call after it. */
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

/** The policy of each door; a caller with real checks behind the claim spreads `scope: "iteration"` over it. */
export const presets = {
  harness: (promise: string): ClaimPolicy => policy(promise, { tags: ["response", "promise"], first: true }),
  hook: (promise: string): ClaimPolicy => policy(promise),
  workflow: (promise: string): ClaimPolicy => policy(promise, { bareSignal: true }),
  pipeline: (promise: string, { strict = false }: { strict?: boolean } = {}): ClaimPolicy =>
    policy(promise, strict ? { ownLine: true, ignoreCase: false } : {}),
};

/** The policy of one turn: with a nonce only the promise that was asked for in this very turn matches. */
export const claimOf = (claim: ClaimPolicy, nonce: string | null): ClaimPolicy =>
  nonce === null ? claim : { ...claim, promise: `${claim.promise} ${nonce}` };
