import { useEffect, useRef, useState } from "preact/hooks";
import { getStream } from "../api.ts";
import { textOf } from "../stream.ts";
import { type OutputRows, outputRows, type RowsView } from "./output-rows.ts";
import { followOutput, type OutputState, type Piece } from "./output-stream.ts";

const FIRST_VIEW: RowsView = { filter: "", columns: 120 };

/** The output at a path as rows, followed while its loop works. `version` changes with them. */
export function useOutput(path: string, isLive: boolean) {
  const [state, setState] = useState<OutputState>("reading");
  const [version, setVersion] = useState(0);
  const [first] = useState(() => outputRows(FIRST_VIEW));
  const rows = useRef<OutputRows>(first);
  const shown = useRef(FIRST_VIEW);
  const live = useRef(isLive);
  const following = useRef<{ changed(): void } | null>(null);

  useEffect(() => {
    live.current = isLive;
    following.current?.changed();
  }, [isLive]);

  useEffect(() => {
    rows.current = outputRows(shown.current);
    setVersion((n) => n + 1);
    const batch = batched((pieces) => {
      rows.current.add(pieces);
      setVersion((n) => n + 1);
    });
    const one = followOutput({
      open: (quit) => outputText(path, quit),
      onPieces: batch.add,
      onState: setState,
      isLive: () => live.current,
      isShown: () => document.visibilityState === "visible",
    });
    following.current = one;
    document.addEventListener("visibilitychange", one.changed);
    return () => {
      document.removeEventListener("visibilitychange", one.changed);
      one.close();
      batch.close();
    };
  }, [path]);

  return {
    state,
    version,
    rows: rows.current,
    show(view: RowsView) {
      shown.current = view;
      rows.current.show(view);
    },
  };
}

/** Pieces that arrive within a frame become one change of the page. */
function batched(flush: (pieces: readonly Piece[]) => void) {
  let waiting: Piece[] = [];
  let frame = 0;
  return {
    add(pieces: readonly Piece[]) {
      for (const piece of pieces) waiting.push(piece);
      frame ||= requestAnimationFrame(() => {
        const now = waiting;
        [waiting, frame] = [[], 0];
        flush(now);
      });
    },
    close: () => cancelAnimationFrame(frame),
  };
}

/** The text of a response that may not end. */
export async function* outputText(path: string, quit: AbortSignal): AsyncGenerator<string> {
  const sent = await getStream(path, quit);
  if (!sent.ok) throw new Error(sent.message);
  if (sent.body) yield* textOf(sent.body);
}
