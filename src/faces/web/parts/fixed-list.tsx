import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

interface FixedListProps {
  /** For screen readers. */
  label: string;
  count: number;
  row(index: number): ComponentChildren;
  /** Stays at the end while lines arrive, until the user scrolls up. */
  follow?: boolean;
  /** Scrolls to this row; a new object scrolls again. */
  target?: { index: number } | null;
  class?: string;
}

/** In CSS pixels; the style sheet has the same. */
const ROW = 20;
/** Rows beyond the visible ones, so that fast scrolling shows no gaps. */
const MARGIN = 30;

/** A list of rows of one height, of which only the visible ones are in the page. It scrolls with the keyboard too. */
export function FixedList({ label, count, row, follow = false, target = null, class: name = "" }: FixedListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [room, setRoom] = useState(40);
  const [isAtEnd, setAtEnd] = useState(true);

  const measure = useCallback(() => {
    const at = box.current;
    if (!at) return;
    setFirst(Math.floor(at.scrollTop / ROW));
    setRoom(Math.ceil(at.clientHeight / ROW) || 40);
    setAtEnd(at.scrollTop + at.clientHeight >= at.scrollHeight - ROW);
  }, []);
  const toEnd = useCallback(() => box.current?.scrollTo({ top: box.current.scrollHeight }), []);

  useLayoutEffect(() => {
    if (!box.current) return;
    const sizes = new ResizeObserver(measure);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [measure]);
  useLayoutEffect(() => {
    if (follow && isAtEnd) toEnd();
    measure();
  }, [count, follow]);
  useLayoutEffect(() => {
    if (target) box.current?.scrollTo({ top: target.index * ROW });
  }, [target]);

  const from = Math.max(0, Math.min(first, count - room) - MARGIN);
  const to = Math.min(count, from + room + 2 * MARGIN);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => <div key={from + i}>{row(from + i)}</div>);
  return (
    <div class={`fixed-list ${name}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <div class="fixed-scroll" ref={box} onScroll={measure} tabIndex={0} role="log" aria-live="off" aria-label={label}>
        <div class="fixed-space" style={{ height: `${count * ROW}px` }}>
          <div class="fixed-rows" style={{ transform: `translateY(${from * ROW}px)` }}>
            {rows}
          </div>
        </div>
      </div>
      {follow && !isAtEnd && (
        <button type="button" class="to-end" onClick={toEnd}>
          ↓ Jump to the end
        </button>
      )}
    </div>
  );
}
