// Runs a full-screen program in a terminal of its own, and draws what it shows, one picture or one after the other.
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

const LINE = 18;
const CHAR = 8.4;
const MARGIN = 20;
const BACKGROUND = "#1c2128";
const TEXT = "#adbac7";
const BRIGHT = "#f0f3f6";
const FAINT = "#768390";
/** The sixteen colours, as on the other pictures. */
const COLOURS = [
  ...["#545d68", "#f47067", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#909dab"],
  ...["#636e7b", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#cdd9e5"],
];

/** A program in a terminal. */
export function screenOf(file, args, { cwd, env, columns = 120, rows = 36 }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(file, args, { cwd, env: { ...env, TERM: "xterm-256color" }, cols: columns, rows });
  child.onData((data) => terminal.write(data));
  const text = () =>
    Array.from({ length: rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? "");
  return {
    type: (keys) => child.write(keys),
    /** Resolves once the screen shows a text. */
    async shows(wanted) {
      for (let n = 0; ; n++) {
        await new Promise((done) => setTimeout(done, 50));
        if (text().some((line) => (typeof wanted === "string" ? line.includes(wanted) : wanted.test(line)))) return;
        if (n > 1_200) throw new Error(`the screen never showed ${wanted}:\n${text().join("\n")}`);
      }
    },
    /** What it shows now: the parts of each line, with their look. */
    lines: () => Array.from({ length: rows }, (_, y) => partsOf(terminal.buffer.active.getLine(y), columns)),
    async close() {
      child.kill();
      await new Promise((done) => child.onExit(done));
    },
  };
}

/** Neighbouring cells of the same look; a wide character is a part of its own, so that what follows keeps its column. */
function partsOf(line, columns) {
  const parts = [];
  for (let x = 0; line && x < columns; x++) {
    const cell = line.getCell(x);
    if (!cell || cell.getWidth() === 0) continue;
    const [text, look, isWide] = [
      cell.getChars() || " ",
      lookOf(cell),
      cell.getWidth() > 1 || /[^\u0020-\u2fff]/u.test(cell.getChars()),
    ];
    const last = parts.at(-1);
    if (last && !isWide && !last.isWide && last.look === look) last.text += text;
    else parts.push({ x, text, look, isWide, cells: cell.getWidth() });
  }
  return parts;
}

/** `text colour|background|bold`. */
function lookOf(cell) {
  const [fg, bg] = [
    colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
  ];
  const text = fg || (cell.isDim() ? FAINT : cell.isBold() ? BRIGHT : TEXT);
  const [front, back] = cell.isInverse() ? [bg || BACKGROUND, text] : [text, bg];
  return `${front}|${back}|${cell.isBold() ? "bold" : ""}`;
}

function colourOf(isDefault, isRgb, value) {
  if (isDefault) return "";
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (value < 16) return COLOURS[value];
  const level = (n) => (n === 0 ? 0 : 55 + 40 * n);
  const [r, g, b] =
    value >= 232
      ? Array(3).fill(8 + 10 * (value - 232))
      : [Math.floor((value - 16) / 36), Math.floor((value - 16) / 6) % 6, (value - 16) % 6].map(level);
  return `#${[r, g, b].map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const fixed = (n) => String(Math.round(n * 10) / 10);

function drawnLine(parts, y) {
  const top = MARGIN + 20 + y * LINE;
  return parts.map((part) => drawnPart(part, top)).join("");
}

function drawnPart({ x, text, look, isWide, cells }, top) {
  const [front, back, weight] = look.split("|");
  const left = (column) => fixed(MARGIN + (x + column) * CHAR);
  const width = fixed((isWide ? cells : text.length) * CHAR);
  const box = back ? `<rect x="${left(0)}" y="${top}" width="${width}" height="${LINE}" fill="${back}"/>` : "";
  // A symbol that this terminal counts as one cell is two wide in most fonts.
  const size = isWide && cells === 1 ? ' font-size="9"' : "";
  const more = `${front === TEXT ? "" : ` fill="${front}"`}${weight ? ' font-weight="bold"' : ""}${size}`;
  // Gaps are left out, and every piece keeps its column in any font.
  const pieces = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: piece, index }) => {
    const fit = piece.length > 1 && !isWide ? ` textLength="${fixed(piece.length * CHAR)}"` : "";
    return `<text x="${left(index)}" y="${top + 14}"${more}${fit}>${escaped(piece)}</text>`;
  });
  return box + pieces.join("");
}

/** A picture of screens, each shown for some seconds; without a second one it does not move. */
export function drawnScreens(frames, { title, columns, rows }) {
  const width = Math.ceil(columns * CHAR) + 2 * MARGIN;
  const height = rows * LINE + 2 * MARGIN + 20;
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const shown = new Map();
  for (const [n, { lines }] of frames.entries())
    for (const [y, parts] of lines.entries()) {
      const line = drawnLine(parts, y);
      if (line === "") continue;
      shown.set(line, (shown.get(line) ?? new Set()).add(n));
    }
  const patterns = new Map();
  const body = [...shown].map(([line, when]) => {
    if (when.size === frames.length) return line;
    const key = [...when].join(" ");
    if (!patterns.has(key)) patterns.set(key, `p${patterns.size}`);
    return `<g class="${patterns.get(key)}">${line}</g>`;
  });
  const rules = [...patterns].map(([key, name]) => ruleOf(name, key.split(" ").map(Number), { frames, total }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${TEXT}">
<title>${escaped(title)}</title>
${rules.length > 0 ? `<style>${rules.join("")}</style>\n` : ""}<rect width="100%" height="100%" rx="10" fill="${BACKGROUND}"/>
<circle cx="22" cy="18" r="6" fill="#f47067"/><circle cx="42" cy="18" r="6" fill="#c69026"/><circle cx="62" cy="18" r="6" fill="#57ab5a"/>
${body.join("\n")}
</svg>
`;
}

/** Shows a group in these frames only. */
function ruleOf(name, when, { frames, total }) {
  let at = 0;
  const steps = frames.map(({ seconds }, n) => {
    const percent = fixed((100 * at) / total);
    at += seconds;
    return `${percent}%{visibility:${when.includes(n) ? "visible" : "hidden"}}`;
  });
  return `@keyframes ${name}{${steps.join("")}}.${name}{animation:${name} ${total}s step-end infinite}`;
}
