/** Searches output that arrives in pieces from several sources for texts, in bounded memory. */
interface TextSearch {
  /** Returns the writer for one source. */
  source(): (piece: string) => void;
  found(): ReadonlySet<string>;
}

/**
 * A text counts if it occurs in the joined output, or in the output of one source: if two sources write at the same
 * time, one must not hide the text of the other.
 */
export function textSearch(texts: readonly string[]): TextSearch {
  const found = new Set<string>();
  const missing = new Set(texts);
  // One character less than the longest text is enough to find it together with the next piece.
  const kept = Math.max(0, ...texts.map((text) => text.length - 1));
  let together = "";
  const look = (haystack: string) => {
    for (const text of missing) {
      if (!haystack.includes(text)) continue;
      missing.delete(text);
      found.add(text);
    }
  };
  return {
    source() {
      let alone = "";
      return (piece) => {
        if (missing.size === 0) return;
        look(together + piece);
        if (alone !== together) look(alone + piece.slice(0, kept));
        together = lastChars(together, piece, kept);
        alone = lastChars(alone, piece, kept);
      };
    },
    found: () => found,
  };
}

function lastChars(before: string, piece: string, most: number): string {
  if (most === 0) return "";
  return piece.length >= most ? piece.slice(-most) : (before + piece).slice(-most);
}
