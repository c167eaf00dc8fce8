import { type Drawing, element, escaped } from "./svg.ts";

/** The colours of series: distinguishable by colour-blind readers, on light and dark backgrounds. */
const SERIES = [
  ["#3b6fd4", "#6c9bff"],
  ["#d99a00", "#f0b93a"],
  ["#2f9e5b", "#4fc884"],
  ["#9256d9", "#bb8cf5"],
  ["#e0604c", "#ff8a75"],
  ["#7b8494", "#98a2b3"],
] as const;

export const seriesLook = (series: number): string => `s${series % SERIES.length}`;

const rulesOf = (shade: 0 | 1, ground: string, ink: string, soft: string, line: string, faint: string): string =>
  [
    `.ground{fill:${ground}}.card{fill:${faint};stroke:${line}}`,
    `.ralph-chart text{fill:${ink}}.ralph-chart .soft{fill:${soft}}`,
    `.grid{stroke:${line}}.axis{stroke:${soft}}.none{fill:none;stroke:${soft}}`,
    ...SERIES.map((pair, i) => `.s${i}{fill:${pair[shade]}}`),
  ].join("");

/** The style sheet of a picture: light, or dark if the reader prefers it. No `var()`: some renderers do not know it. */
export const STYLE = [
  '.ralph-chart{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Helvetica,Arial,sans-serif}',
  ".ralph-chart .bold{font-weight:600}",
  rulesOf(0, "#ffffff", "#1f2733", "#5d6878", "#dde2e9", "#f6f8fa"),
  `@media (prefers-color-scheme:dark){${rulesOf(1, "#12161c", "#e6eaf0", "#9aa5b4", "#2d3540", "#1a2028")}}`,
].join("");

const MARGIN = 24;

interface PictureWords {
  title: string;
  description: string;
}

/** A drawing as a whole document, or as part of a page if `inPage` gives the prefix that makes its ids unique. */
export function pictureOf(drawing: Drawing, { title, description }: PictureWords, inPage?: string): string {
  // A page has its own margins; a little space is left for shapes that overlap the edge.
  const margin = inPage === undefined ? MARGIN : 1;
  const width = Math.ceil(drawing.width) + 2 * margin;
  const height = Math.ceil(drawing.height) + 2 * margin;
  const id = inPage ?? "chart";
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "ralph-chart",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-labelledby": `${id}-title ${id}-about`,
    },
    element("title", { id: `${id}-title` }, escaped(title)),
    element("desc", { id: `${id}-about` }, escaped(description)),
    // A page has the style and the background once.
    ...(inPage === undefined
      ? [`<style>${STYLE}</style>`, element("rect", { class: "ground", width, height, rx: 10 })]
      : []),
    `\n${drawing.draw({ x: margin, y: margin })}\n`,
  );
}
