/** An agent's changes to the copy it reviewed. All of them are discarded. */
export interface Discarded {
  /** Tracked files that it changed or deleted, and all files it committed. `.` is the whole copy. */
  tracked: readonly string[];
  /** New files that are not committed and not ignored by git. */
  added: readonly string[];
  commits: number;
  /** How many more there were. */
  more?: number;
}

/** The discarded changes, one phrase each. */
export const discardedNames = ({ tracked, added, commits, more = 0 }: Discarded): string[] => [
  ...tracked.map((path) => (path === "." ? "the whole copy" : path)),
  ...added.map((path) => `${path} (new)`),
  ...(commits > 0 ? [`${commits} commit${commits === 1 ? "" : "s"}`] : []),
  ...(more > 0 ? [`${more} more`] : []),
];

const MOST_KEPT = 40;

/** The changes of all turns of a loop to its copy. Bounded. */
export const withDiscarded = (names: readonly string[], more: Discarded): readonly string[] =>
  [...new Set([...names, ...discardedNames(more)])].slice(0, MOST_KEPT);
