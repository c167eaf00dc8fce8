/** A section of one message, with enough text around its middle part to judge that part. */
export interface MessageView {
  text: string;
  /** Offset of `text` in the iteration's whole assistant text, without escape sequences. */
  base: number;
  /** The message ends where `text` ends. */
  ends: boolean;
}

/** The part of a view that is new: every offset of a message is new exactly once. */
export interface ViewPart {
  from: number;
  to: number;
  /** The part's text and a little more: enough for a quick test without joining the whole view. */
  glance: string;
}

/** Receives a message view by view. */
export type ViewReader = (view: MessageView, part: ViewPart) => void;

/** How much of a message is read at a time; a view is at most three of these. */
const BLOCK = 32_768;
const GLANCE_BEYOND = 256;

/** Cuts a message into views. */
interface ViewCutter {
  add(text: string): void;
  /** Ends the message: reads the rest and resets for the next message. */
  end(): void;
}

/**
 * Cuts text into blocks of a fixed size, so that the chunks it arrived in do not matter, and passes each block with its
 * neighbours to `read`: memory is bounded, and text near a block's edge is judged with its context.
 */
export function viewCutter(read: ViewReader): ViewCutter {
  let base = 0;
  let before = "";
  let middle = "";
  let rest = "";

  function shift(next: string, ends: boolean): void {
    if (middle !== "") {
      const from = before.length;
      const glance = middle + next.slice(0, GLANCE_BEYOND);
      read({ text: before + middle + next, base, ends }, { from, to: from + middle.length, glance });
      base += before.length;
      before = middle;
    }
    middle = next;
  }

  return {
    add(text) {
      let at = 0;
      // The last block is never empty, so that the one before it knows whether the message ends there.
      while (rest.length + text.length - at > BLOCK) {
        const cut = at + BLOCK - rest.length;
        shift(rest + text.slice(at, cut), false);
        rest = "";
        at = cut;
      }
      rest += at === 0 ? text : text.slice(at);
    },
    end() {
      if (rest !== "") shift(rest, true);
      shift("", true);
      base += before.length;
      before = middle = rest = "";
    },
  };
}

/** Whether only white space, at most `most` characters, precedes an offset on its line. */
export function startsLine(text: string, at: number, most: number): boolean {
  const before = text.slice(Math.max(0, at - most - 1), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.trim() === "" && line.length <= most;
}
