/** Part of a text that looks like a secret. */
export interface Found {
  /** Where what names it begins. */
  from: number;
  /** What is hidden. */
  start: number;
  end: number;
  /** What is shown instead of it. */
  shown?: string;
}

export const HIDDEN = "***";

/** Hides what was found; secrets that overlap become one. */
export function withoutFound(text: string, found: readonly Found[]): string {
  let shown = "";
  let at = 0;
  for (const { start, end, shown: instead = HIDDEN } of found.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (end <= at) continue;
    shown += start < at ? "" : text.slice(at, start) + instead;
    at = end;
  }
  return shown + text.slice(at);
}

/** Everything that a pattern matches. */
export const foundBy = (text: string, pattern: RegExp): Found[] =>
  [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    start: match.index,
    end: match.index + match[0].length,
  }));
