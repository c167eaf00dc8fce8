import { useEffect, useRef, useState } from "preact/hooks";
import type { Column, ColumnPlot } from "./plot.ts";

interface ColumnsProps extends Pick<ColumnPlot, "words" | "series"> {
  /** For screen readers; the numbers are in the tables of the page too. */
  label: string;
  columns: readonly Column[];
  whole?: boolean;
}

/** A column chart. The part that draws it is loaded when it is first needed. */
export function Columns({ label, columns, words, series, whole = false }: ColumnsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Column | null>(null);
  const drawn = JSON.stringify(columns);
  useEffect(() => {
    let chart: { destroy(): void } | null = null;
    let isGone = false;
    void import("./plot.ts").then(({ drawColumns }) => {
      if (isGone || !box.current) return;
      chart = drawColumns(box.current, { columns, words, series, whole, onColumn: setPointed });
    });
    return () => {
      isGone = true;
      chart?.destroy();
    };
  }, [drawn, series, whole]);
  const summary = columns.map(({ name, value }) => `${name}: ${words(value)}`).join(", ");
  return (
    <div class="columns-chart">
      <div ref={box} class="plot" role="img" aria-label={`${label}. ${summary}`} />
      <p class="soft plot-value" aria-hidden="true">
        {pointed ? `${pointed.name}: ${words(pointed.value)}` : "\u00a0"}
      </p>
    </div>
  );
}
