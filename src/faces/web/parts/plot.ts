import UPlot from "uplot";

export interface Column {
  name: string;
  value: number;
}

export interface ColumnPlot {
  columns: readonly Column[];
  words(value: number): string;
  /** The number of the series, which has the colour of the class `s<n>`. */
  series: number;
  /** Only whole numbers have a mark. */
  whole: boolean;
  /** The column under the pointer; null: none. */
  onColumn(column: Column | null): void;
}

/** Draws columns on a canvas, as wide as the element. Loaded only when there is something to draw. */
export function drawColumns(element: HTMLElement, plot: ColumnPlot): { destroy(): void } {
  let chart: UPlot | null = null;
  const draw = () => {
    chart?.destroy();
    const width = Math.floor(element.clientWidth);
    if (width > 0) chart = new UPlot(optionsOf(element, plot, width), dataOf(plot), element);
  };
  const sizes = new ResizeObserver(() => {
    if (chart?.width !== Math.floor(element.clientWidth)) draw();
  });
  sizes.observe(element);
  // A canvas does not follow the theme by itself.
  const themes = new MutationObserver(draw);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  return {
    destroy() {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener("change", draw);
      chart?.destroy();
    },
  };
}

const HEIGHT = 170;

const dataOf = ({ columns }: ColumnPlot): UPlot.AlignedData => [
  columns.map((_, i) => i),
  columns.map(({ value }) => value),
];

function optionsOf(element: HTMLElement, plot: ColumnPlot, width: number): UPlot.Options {
  const { columns, words, series, whole, onColumn } = plot;
  const [ink, line, fill] = ["soft", "grid-line", `s${series}`].map((name) => colourOf(element, name));
  const axis = { stroke: ink ?? "", font: "11px system-ui, sans-serif", ticks: { show: false } };
  const most = Math.max(...columns.map(({ value }) => value), whole ? 1 : 0);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, columns.length - 0.4] },
      y: { range: [0, most * 1.08 || 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        splits: () => columns.map((_, i) => i),
        values: (_chart, splits) => named(columns, splits, width),
      },
      {
        ...axis,
        size: NUMBERS,
        grid: { stroke: line ?? "", width: 1 },
        ...(whole ? { incrs: WHOLE_STEPS } : {}),
        values: (_chart, splits) => splits.map(words),
      },
    ],
    series: [
      {},
      {
        fill: fill ?? "",
        stroke: fill ?? "",
        width: 0,
        points: { show: false },
        ...(UPlot.paths.bars ? { paths: UPlot.paths.bars({ size: [0.72, 48] }) } : {}),
      },
    ],
    hooks: { setCursor: [({ cursor }) => onColumn(cursor.idx == null ? null : (columns[cursor.idx] ?? null))] },
  };
}

const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const NAME_ROOM = 46;
/** What the numbers beside the columns take. */
const NUMBERS = 54;

/** Only as many names as have room. */
function named(columns: readonly Column[], splits: readonly number[], width: number): string[] {
  const step = Math.max(1, Math.ceil((columns.length * NAME_ROOM) / Math.max(1, width - NUMBERS)));
  return splits.map((i) => (i % step === 0 ? (columns[i]?.name ?? "") : ""));
}

/** The colour that a class gives to text now: a canvas knows no variables. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.className = name;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
