// Draws what a terminal showed.
const LINE = 18;
const CHAR = 8.4;
const COLOURS = { 31: "#f47067", 32: "#57ab5a", 33: "#c69026", 35: "#b083f0", 36: "#39c5cf" };

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A picture of a terminal with these lines, colour codes included. */
export function drawn(lines, { title, columns }) {
  const width = Math.ceil(columns * CHAR) + 40;
  const height = lines.length * LINE + 60;
  const text = lines
    .map((line, i) => `<text x="20" y="${56 + i * LINE}" xml:space="preserve">${spans(line)}</text>`)
    .join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#adbac7">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="10" fill="#1c2128"/>
<circle cx="22" cy="20" r="6" fill="#f47067"/><circle cx="42" cy="20" r="6" fill="#c69026"/><circle cx="62" cy="20" r="6" fill="#57ab5a"/>
${text}
</svg>
`;
}

/** One line of text with colour codes as spans of one style each. */
function spans(line) {
  let style = "";
  return line
    .split(/\u001b\[([\d;]*)m/)
    .map((part, i) => {
      if (i % 2 === 1) {
        for (const code of part.split(";")) style = styleAfter(style, code);
        return "";
      }
      return part && `<tspan ${style}>${escaped(part)}</tspan>`;
    })
    .join("");
}

function styleAfter(style, code) {
  if (COLOURS[code]) return `fill="${COLOURS[code]}"`;
  if (code === "1") return 'fill="#f0f3f6" font-weight="bold"';
  if (code === "2") return 'fill="#768390"';
  return code === "" || Number(code) < 30 || code === "39" ? "" : style;
}
