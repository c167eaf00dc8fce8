/** Any text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same the way a person types it: with quotes only where they are needed. */
export function typedWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? quoted(text) : `"${text}"`;
}

/** The words of a command line with quotes and backslashes, without expansions; null if a quote is never closed. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const gap = /\s+/y;
    gap.lastIndex = at;
    at += gap.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    const found = WORD.exec(text.slice(at))?.[0];
    if (found === undefined) return null;
    words.push(found.replaceAll(PIECE, (_, single, double, escaped) => single ?? unescaped(double) ?? escaped));
    at += found.length;
  }
  return words;
}

const WORD = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+(?=\s|$)/s;
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

/** Between double quotes a backslash escapes only a quote, a backslash, `$` or a backtick. */
const unescaped = (text: string | undefined): string | undefined => text?.replaceAll(/\\(["\\$`])/g, "$1");
