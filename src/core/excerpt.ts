/** Collects output of any length in bounded memory: the head and the tail, with a marker for the omitted part. */
interface Excerpt {
  add(text: string): void;
  text(): string;
}

/** Keeps `maxChars` characters, a third from the head: errors are mostly at the end. */
export function excerpt(maxChars: number): Excerpt {
  const headChars = Math.floor(maxChars / 3);
  const tailChars = maxChars - headChars;
  let head = "";
  let tail = "";
  let total = 0;
  return {
    add(text) {
      total += text.length;
      const free = headChars - head.length;
      head += text.slice(0, Math.max(0, free));
      const rest = free > 0 ? text.slice(free) : text;
      // Trimmed only when it has doubled, so that many small pieces do not copy the tail each time.
      tail += rest.length > tailChars ? rest.slice(-tailChars) : rest;
      if (tail.length > tailChars * 2) tail = tail.slice(-tailChars);
    },
    text() {
      const kept = tail.slice(-tailChars);
      const left = total - head.length - kept.length;
      return left > 0 ? `${head}\n… ${left} characters left out …\n${kept}` : head + kept;
    },
  };
}

/** The text on one line, cut to `maxChars`. */
export function shorten(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** The bounded form of a complete text. */
export function cut(text: string, maxChars: number): string {
  const collected = excerpt(maxChars);
  collected.add(text);
  return collected.text();
}

/** The first `most` of the words, then how many more there are. */
export const firstOf = (words: readonly string[], most: number): string[] =>
  words.length > most ? [...words.slice(0, most), `and ${words.length - most} more`] : [...words];

/** The same as one text: `a, b and 3 more`. */
export const firstNamed = (names: readonly string[], most = 5): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");

/** `1 file`, `2 files`. */
export const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
