/*
 * Terminal escape sequences: CSI (colours, cursor), strings with a terminator (OSC: title, clipboard, links; DCS, SOS, PM,
 * APC) and the short ones. All are bounded and end with their line, so that a stray escape character never swallows what
 * follows it. The one-character C1 forms count as control characters only: what was decoded with the wrong encoding is
 * full of them.
 */
const STRING_START = "\\x1b[\\]PX^_]";
const STRING_END = "\\x07\\n\\x18\\x1a\\x1b\\x9c";
const IN_STRING = `[^${STRING_END}]{0,65536}`;
export const SEQUENCE = `\\x1b\\[[0-?]{0,64}[ -/]{0,4}[@-~]|${STRING_START}${IN_STRING}(?:\\x07|\\x1b\\\\|\\x9c)|\\x1b[ -/]{0,2}[0-~]`;
export const UNFINISHED = `(?:\\x1b\\[[0-?]{0,64}[ -/]{0,4}|${STRING_START}${IN_STRING}\\x1b?|\\x1b[ -/]{0,2})$`;
const LONGEST = 65_600;

const SEQUENCES = new RegExp(SEQUENCE, "g");
const UNFINISHED_SEQUENCE = new RegExp(UNFINISHED);

/** Cleans a stream. The joined output does not depend on how the text was cut into chunks. */
export interface TextFilter {
  /** The text that is known to be clean so far. */
  pass(chunk: string): string;
  /** The text held back until the end of the stream. */
  flush(): string;
}

const ENDS_STRING = new RegExp(`[${STRING_END}]`);
/** Longer than this, only a string is unfinished. */
const LONGEST_CSI = 80;

/** Holds the end of a text back while it may continue in the next chunk. */
export function holdBack(unfinished: RegExp) {
  let held = "";
  let inString = false;
  return {
    isEmpty: () => held === "",
    next(chunk: string): string {
      // A long string is not read again with every chunk.
      if (inString && held.length + chunk.length < LONGEST && !ENDS_STRING.test(chunk)) {
        held += chunk;
        return "";
      }
      const text = held + chunk;
      const from = Math.max(0, text.length - LONGEST);
      const found = unfinished.exec(text.slice(from));
      const end = found ? from + found.index : text.length;
      held = text.slice(end);
      inString = held.length > LONGEST_CSI && !/^\r|\x1b$/.test(held);
      return text.slice(0, end);
    },
    rest(): string {
      const rest = held;
      [held, inString] = ["", false];
      return rest;
    },
  };
}

/** Removes escape sequences from a stream. */
export function ansiFilter(): TextFilter {
  const hold = holdBack(UNFINISHED_SEQUENCE);
  return {
    pass: (chunk) => (hold.isEmpty() && !chunk.includes("\u001b") ? chunk : hold.next(chunk).replace(SEQUENCES, "")),
    flush: () => hold.rest().replace(SEQUENCES, ""),
  };
}

/** The text without terminal escape sequences. */
export const stripAnsi = (text: string): string => (text.includes("\u001b") ? text.replace(SEQUENCES, "") : text);

/** Characters that reorder the text around them. */
export const BIDI = "\\u202a-\\u202e\\u2066-\\u2069";
const BIDI_CONTROLS = new RegExp(`[${BIDI}]`, "g");
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Foreign text on one line of Ralph's output: nothing in it can move the cursor or look like Ralph's own. */
export const printable = (text: string): string =>
  stripAnsi(text).replace(BIDI_CONTROLS, "").replace(CONTROLS, " ").trim();

const OTHER_CONTROLS = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI}]+`, "g");

/** The same for a text of several lines. */
export const printableText = (text: string): string => stripAnsi(text).replace(OTHER_CONTROLS, "").trimEnd();
