import { StringDecoder } from "node:string_decoder";

/** The keys that have names. */
export type NamedKey =
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "insert"
  | "delete"
  | "enter"
  | "escape"
  | "tab"
  | "shift-tab"
  | "backspace"
  | `ctrl-${string}`;

/** A named key, or the one character that was typed: `j`, `G`, ` `, `é`. */
export type Key = NamedKey | (string & {});

/** Pasted text comes as one key, so that no letter of it is a command. */
const PASTED = "paste:";

/** The first line of pasted text; null if the key is another one. */
export const pastedText = (key: Key): string | null => (key.startsWith(PASTED) ? key.slice(PASTED.length) : null);

/** Reads keys from what a terminal sends, however it is cut into chunks. */
export interface KeyReader {
  push(chunk: Buffer | string): Key[];
  /** How long the rest of a sequence is waited for; null if none has begun. */
  waitMs(): number | null;
  /** Nothing followed: a lone escape is a key, anything else is dropped. */
  flush(): Key[];
}

const ESCAPE = "\u001b";
const ESCAPE_MS = 50;
/** Pasted text may arrive slowly, and its rest must not count as keys. */
const PASTE_MS = 1_000;

/** More of a paste is not kept. */
const MOST_PASTED = 1_000;
const FIRST_LINE = /[^\u0000-\u001f\u007f-\u009f]+/;

/** What ends a paste, and an answer of the terminal such as its colours. */
const ENDS = { paste: /\u001b\[201~/, answer: /[\u0007\u0018\u001a]|\u001b\\/ };
const LONGEST_END = 6;

export function openKeys(): KeyReader {
  const decoder = new StringDecoder("utf8");
  let held = "";
  /** What is being skipped: no command. */
  let inside: keyof typeof ENDS | null = null;
  let pasted = "";

  /** Up to the end of what is inside; a paste that has ended is a key. */
  function skip(is: keyof typeof ENDS): Key[] {
    const found = ENDS[is].exec(held);
    // The end may be cut in two.
    const length = found ? found.index : Math.max(0, held.length - LONGEST_END + 1);
    if (is === "paste") pasted = (pasted + held.slice(0, length)).slice(0, MOST_PASTED);
    held = held.slice(length + (found?.[0].length ?? 0));
    if (!found) return [];
    const [line] = FIRST_LINE.exec(pasted) ?? [];
    [inside, pasted] = [null, ""];
    return line === undefined ? [] : [PASTED + line];
  }
  function next(): Key[] {
    const [sequence = ""] = NEXT.exec(held) ?? [];
    held = held.slice(sequence.length);
    if (ANSWER.test(sequence)) inside = "answer";
    else if (sequence === "\u001b[200~") inside = "paste";
    else return keyOf(sequence);
    return [];
  }
  function take(): Key[] {
    const keys: Key[] = [];
    while (true) {
      if (inside) keys.push(...skip(inside));
      if (inside || held === "" || UNFINISHED.test(held)) return keys;
      keys.push(...next());
    }
  }
  return {
    push(chunk) {
      held += typeof chunk === "string" ? chunk : decoder.write(chunk);
      return take();
    },
    waitMs: () => (inside ? PASTE_MS : held === "" ? null : ESCAPE_MS),
    flush() {
      const isKey = !inside && held === ESCAPE;
      [held, inside, pasted] = ["", null, ""];
      return isKey ? ["escape"] : [];
    },
  };
}

/** The beginning of a sequence, up to the end of what has arrived. None that a terminal sends is longer. */
const UNFINISHED = /^\u001b(?:\[\[?|\[[0-?]{1,64}[ -/]{0,4}|O\d{0,4})?$/;
/**
 * A control sequence (the Linux console sends `[[A`), one of the keypad, a character with Alt, or one character. An
 * escape after an escape begins a new sequence.
 */
const NEXT = /^(?:\u001b(?:\[\[[A-Za-z]|\[[0-?]*[ -/]*[@-~]|O\d*[A-Za-z]|[^\u001b])|[\s\S])/u;
const ANSWER = /^\u001b[\]PX^_]$/;

const FINALS: Readonly<Record<string, NamedKey>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  Z: "shift-tab",
};
const NUMBERS: Readonly<Record<string, NamedKey>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};
const CONTROLS: Readonly<Record<string, NamedKey>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u001bOM": "enter",
  [ESCAPE]: "escape",
};

/** The key of one sequence; none if it is unknown. A key with Shift, Ctrl or Alt counts as the key itself. */
function keyOf(sequence: string): Key[] {
  const named = CONTROLS[sequence] ?? sequenceKey(sequence);
  if (named) return [named];
  const code = sequence.codePointAt(0) ?? 0;
  if (code >= 1 && code <= 26) return [`ctrl-${String.fromCharCode(code + 96)}`];
  return code < 32 || (code >= 0x7f && code < 0xa0) || code === 0xfffd ? [] : [sequence];
}

function sequenceKey(sequence: string): NamedKey | undefined {
  const [, numbers, final = ""] = /^\u001b(?:\[(?:(\d+)(?:;\d+)?)?|O)([A-Za-z~])$/.exec(sequence) ?? [];
  return final === "~" ? NUMBERS[numbers ?? ""] : FINALS[final];
}
