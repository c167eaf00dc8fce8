/** Words that say the claim is not true, and the settings in which the same words say nothing of the kind. */
export interface ContradictionRule {
  name: string;
  /** Any of these in a clause, lower-cased unless `exactCase`; a function returns where, or -1. */
  when: readonly (RegExp | ((clause: string) => number))[];
  /** … unless the clause also says this, */
  unless?: RegExp;
  /** … or says this before the words that matched. */
  unlessBefore?: RegExp;
  exactCase?: true;
  /** Its words are the same in other languages, so that theirs can say that it is over. */
  abroad?: true;
  /** Counts inside code fences too, where agents paste logs. */
  inLogs?: true;
}
