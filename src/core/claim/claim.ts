/** A place in the assistant's text: offsets into the iteration's text without escape sequences, and the quote. */
export interface Passage {
  start: number;
  end: number;
  quote: string;
}

/** A completion tag that the guards accepted. It asks for verification; it proves nothing. */
export interface Claim extends Passage {
  /** The text inside the tag, trimmed. */
  text: string;
  tag: "promise" | "response" | "signal";
}

/**
 * Why a tag is not a claim (`guarded`), or what in the text contradicts it (`contradicted`).
 * `rule` names the rule that fired, for `ralph why`.
 */
export interface Doubt extends Passage {
  is: "guarded" | "contradicted";
  rule: string;
  /** Details that the rule's name does not give: the characters that only look like the expected ones. */
  detail?: string;
}

/** The result of reading one iteration's assistant text. */
export interface ClaimReading {
  claim: Claim | null;
  /** The reason in `<blocked>reason</blocked>`, if the agent says that it cannot continue. */
  blocked: string | null;
  doubts: Doubt[];
  /** What the agent says in `<note>…</note>`; omitted if nothing. */
  notes?: readonly string[];
}
