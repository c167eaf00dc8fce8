import { STYLE } from "./look.ts";
import { type Drawing, element, escaped } from "./svg.ts";

const MARGIN = 24;

interface PictureWords {
  title: string;
  description: string;
}

/** A drawing as a whole document, or as a part of a page where `inPage` gives what makes its ids unique. */
export function pictureOf(drawing: Drawing, { title, description }: PictureWords, inPage?: string): string {
  // A page has margins of its own; a little is left for what sticks out by a hair.
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
    // A page has the style and the ground once.
    ...(inPage === undefined
      ? [`<style>${STYLE}</style>`, element("rect", { class: "ground", width, height, rx: 10 })]
      : []),
    `\n${drawing.draw({ x: margin, y: margin })}\n`,
  );
}
