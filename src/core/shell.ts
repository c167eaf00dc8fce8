/** Any text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same the way a person types it: with quotes only where they are needed. */
export function typedWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? quoted(text) : `"${text}"`;
}
