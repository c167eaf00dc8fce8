import { BIDI, holdBack, SEQUENCE, type TextFilter, UNFINISHED } from "./ansi.ts";

/** What a terminal acts on, and line ends. One pass decides each: what is left cannot form a new sequence. */
const TOKENS = new RegExp(`${SEQUENCE}|\\r+\\n?|[\\u0000-\\u0008\\n\\u000b-\\u001f\\u007f-\\u009f${BIDI}]`, "g");
const ACTIVE = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI}]`);

/** The lookbehind keeps a long run of returns from being read again from each of them. */
const UNFINISHED_TOKEN = new RegExp(`${UNFINISHED}|(?<!\\r)\\r+$`);

const COLOUR = /^\x1b\[[\d;:]*m$/;
const IS_RESET = /^\x1b\[0*m$/;
const RESET = "\u001b[0m";

/** A text of Ralph's own for a terminal, in which foreign text may be: its lines and colours, and nothing else. */
export const terminalText = (text: string, colours: boolean): string =>
  ACTIVE.test(text)
    ? text.replace(TOKENS, (token) => (token.endsWith("\n") ? "\n" : colours && COLOUR.test(token) ? token : ""))
    : text;

interface TerminalOptions {
  colours: boolean;
  /** What a return without a line end becomes: text that would overwrite its line goes to a new one, by default. */
  loneReturn?: "newline" | "nothing";
}

/** Output of another program for a terminal: its text and its colours, which end with their line. */
export function terminalFilter({ colours, loneReturn = "newline" }: TerminalOptions): TextFilter {
  const hold = holdBack(UNFINISHED_TOKEN);
  let atStart = true;
  let isColoured = false;

  function endLine(): string {
    const ended = isColoured ? `${RESET}\n` : "\n";
    [atStart, isColoured] = [true, false];
    return ended;
  }
  function shownFor(token: string): string {
    if (token.endsWith("\n")) return endLine();
    if (token.startsWith("\r")) return atStart || loneReturn === "nothing" ? "" : endLine();
    if (!colours || !COLOUR.test(token)) return "";
    isColoured = !IS_RESET.test(token);
    return token;
  }
  function clean(text: string): string {
    let shown = "";
    let at = 0;
    for (const { 0: token, index } of text.matchAll(TOKENS)) {
      if (index > at) atStart = false;
      shown += text.slice(at, index) + shownFor(token);
      at = index + token.length;
    }
    if (at < text.length) atStart = false;
    return shown + text.slice(at);
  }
  return {
    pass(chunk) {
      if (hold.isEmpty() && !isColoured && !ACTIVE.test(chunk)) {
        if (chunk !== "") atStart = chunk.endsWith("\n");
        return chunk;
      }
      return clean(hold.next(chunk));
    },
    flush() {
      const rest = clean(hold.rest());
      const reset = isColoured ? RESET : "";
      isColoured = false;
      return rest + reset;
    },
  };
}

const UNSAFE_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029${BIDI}]`, "g");

/** A JSON line that a terminal shows as it is: JSON itself escapes only the older control characters. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
