import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const PROBE = 20;

/** Reports how many columns of its font fit into a row. */
export function Measured({ onColumns, children }: { onColumns(n: number): void; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    const measure = () => {
      const column = (probe.current?.getBoundingClientRect().width ?? 0) / PROBE;
      const room = box.current?.clientWidth ?? 0;
      if (column > 0 && room > 0) onColumns(Math.max(20, Math.floor((room - PADDING) / column)));
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [onColumns]);
  return (
    <div ref={box}>
      <span ref={probe} class="mono probe" aria-hidden="true">
        {"0".repeat(PROBE)}
      </span>
      {children}
    </div>
  );
}

/** The space beside a row and its scroll bar. */
const PADDING = 36;
