/*
 * Terminal escape sequences: CSI (colours, cursor), OSC (titles, links) and the short two-character ones.
 * Lengths are bounded so that a stray escape character never swallows what follows it.
 */
const SEQUENCE = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,1024}(?:\x07|\x1b\\)|[ -/]{0,2}[0-~])/g;
const UNFINISHED = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}|\][^\x07\x1b\n]{0,1024}\x1b?|[ -/]{0,2})$/;
const LONGEST = 1030;

/** Removes escape sequences from a stream, including those split over chunks. */
interface AnsiFilter {
  /** The text that is known to be free of escape sequences so far. */
  pass(chunk: string): string;
  /** The text held back until the end of the stream. */
  flush(): string;
}

/** A filter whose joined output does not depend on how the text was cut into chunks. */
export function ansiFilter(): AnsiFilter {
  let held = "";
  return {
    pass(chunk) {
      if (held === "" && !chunk.includes("\x1b")) return chunk;
      const text = held + chunk;
      const tail = Math.max(0, text.length - LONGEST);
      const unfinished = UNFINISHED.exec(text.slice(tail));
      const end = unfinished ? tail + unfinished.index : text.length;
      held = text.slice(end);
      return text.slice(0, end).replace(SEQUENCE, "");
    },
    flush() {
      const rest = held.replace(SEQUENCE, "");
      held = "";
      return rest;
    },
  };
}

/** The text without terminal escape sequences. */
export const stripAnsi = (text: string): string => (text.includes("\u001b") ? text.replace(SEQUENCE, "") : text);

const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Foreign text on one line of Ralph's output: nothing in it can move the cursor or look like Ralph's own. */
export const printable = (text: string): string => stripAnsi(text).replace(CONTROLS, " ").trim();

const OTHER_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;

/** The same for a text of several lines. */
export const printableText = (text: string): string => stripAnsi(text).replace(OTHER_CONTROLS, "").trimEnd();
