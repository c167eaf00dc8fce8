import type { Damage, JournalCheck } from "./journals.ts";

/** The message about a damaged journal. */
export const damageWords = (kind: string, id: string, { entry, what }: Damage): string =>
  `the journal of ${kind} ${id} is damaged${entry === null ? "" : ` at entry ${entry}`}: ${what}`;

/** The result of verifying a journal, on one line. The head is shown in full, so that it can be compared. */
export function chainWords({ entries, head, chainedFrom, damage }: JournalCheck): string {
  if (damage) return `damaged${damage.entry === null ? "" : ` at entry ${damage.entry}`}: ${damage.what}`;
  const count = `${entries} ${entries === 1 ? "entry" : "entries"}`;
  if (head === null || chainedFrom === null) return `${count}, unchained: written by a version without hashes`;
  const since = chainedFrom === 1 ? "" : `, unchained before entry ${chainedFrom}`;
  return `${count}${since}, head ${head}`;
}
