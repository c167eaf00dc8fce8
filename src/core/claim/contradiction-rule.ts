/** Words that say the claim is not true, and the contexts in which the same words do not. */
export interface ContradictionRule {
  name: string;
  /** Any of these in a clause, lower-cased unless `exactCase`; a function returns where, or -1. */
  when: readonly (RegExp | ((clause: string) => number))[];
  /** … unless the clause also says this, */
  unless?: RegExp;
  /** … or says this before the words that matched. */
  unlessBefore?: RegExp;
  exactCase?: true;
  /** Its words also occur in other languages, so words of those languages can say that the trouble is over. */
  abroad?: true;
  /** Counts inside code fences too, where agents paste logs. */
  inLogs?: true;
}
