/** What an agent changed in the copy that it was given to look at. All of it is discarded. */
export interface Discarded {
  /** Tracked files that it changed or deleted, and all that it committed. `.` is the whole copy. */
  tracked: readonly string[];
  /** New files that no commit has and git does not ignore. */
  added: readonly string[];
  commits: number;
  /** How many more there were. */
  more?: number;
}

/** What was discarded, a word for each. */
export const discardedNames = ({ tracked, added, commits, more = 0 }: Discarded): string[] => [
  ...tracked.map((path) => (path === "." ? "the whole copy" : path)),
  ...added.map((path) => `${path} (new)`),
  ...(commits > 0 ? [`${commits} commit${commits === 1 ? "" : "s"}`] : []),
  ...(more > 0 ? [`${more} more`] : []),
];

const MOST_KEPT = 40;

/** What all turns of a loop together have left in its copy. Bounded. */
export const withDiscarded = (names: readonly string[], more: Discarded): readonly string[] =>
  [...new Set([...names, ...discardedNames(more)])].slice(0, MOST_KEPT);
