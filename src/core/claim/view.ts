/** A stretch of one message, wide enough around its middle part to judge what stands there. */
export interface View {
  text: string;
  /** Offset of `text` in the iteration's whole assistant text, escape sequences taken out. */
  base: number;
  /** The message ends where `text` ends. */
  ends: boolean;
}

/** Receives a view and the part of it that is new: every offset of a message is new exactly once. */
export type ViewReader = (view: View, from: number, to: number) => void;

/** How much of a message is read at a time; a view is at most three of these. */
export const BLOCK = 32_768;

/** Cuts a message into views. */
export interface ViewCutter {
  add(text: string): void;
  /** Ends the message: what is left is read, and the next message starts afresh. */
  end(): void;
}

/**
 * Cuts text into blocks of a fixed size, so that the chunks it arrived in cannot matter, and hands each block to `read`
 * together with its neighbours: memory stays bounded and nothing near a block's edge is judged without context.
 */
export function viewCutter(read: ViewReader): ViewCutter {
  let base = 0;
  let before = "";
  let middle = "";
  let rest = "";

  function shift(next: string, ends: boolean): void {
    if (middle !== "") {
      const from = before.length;
      read({ text: before + middle + next, base, ends }, from, from + middle.length);
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
