/** Where in the assistant's text a thing was found: offsets into the whole text of the iteration, terminal escape sequences taken out, and the words themselves. */
export interface Passage {
  start: number;
  end: number;
  quote: string;
}

/** A completion tag that the guards left standing. It asks for verification; it proves nothing. */
export interface Claim extends Passage {
  /** The text inside the tag, trimmed. */
  text: string;
  tag: "promise" | "response" | "signal";
}

/**
 * Why a tag was not taken for a claim (`guarded`), or what in the text speaks against it (`contradicted`).
 * `rule` names the rule that fired, for `ralph why`.
 */
export interface Doubt extends Passage {
  is: "guarded" | "contradicted";
  rule: string;
  /** What exactly, where the rule's name does not say it: the characters that only look like the ones asked for. */
  detail?: string;
}

/** What one iteration's assistant text amounts to. */
export interface ClaimReading {
  claim: Claim | null;
  /** The reason in `<blocked>reason</blocked>`, when the agent says it cannot go on. */
  blocked: string | null;
  doubts: Doubt[];
}
