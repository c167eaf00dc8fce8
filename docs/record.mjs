// Records `ralph demo` in a pseudo-terminal and draws what it showed: node docs/record.mjs > docs/demo.svg
import { execFileSync } from "node:child_process";

const COLUMNS = 100;
const LINE = 18;
const CHAR = 8.4;
const COLOURS = { 31: "#f47067", 32: "#57ab5a", 33: "#c69026", 36: "#39c5cf" };

const raw = execFileSync(
  "script",
  ["-qec", `stty cols ${COLUMNS}; CI=1 npm_command=exec node dist/ralph.js demo`, "/dev/null"],
  {
    encoding: "utf8",
  },
);
const lines = `$ npx ralph demo\n${raw}`
  .replaceAll("\r", "")
  // What runs is told again by its result.
  .replace(/^(?:\u001b\[\d+m)* {2}… .*\n/gm, "")
  .replace(/\/\S*\/ralph-demo-\w+/g, "/tmp/ralph-demo")
  .trimEnd()
  .split("\n");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** One line of text with colour codes as spans of one style each. */
function spans(line) {
  let style = "";
  return line
    .split(/\u001b\[(\d+)m/)
    .map((part, i) => {
      if (i % 2 === 1) {
        if (COLOURS[part]) style = `fill="${COLOURS[part]}"`;
        else if (part === "1") style = 'fill="#f0f3f6" font-weight="bold"';
        else if (part === "2") style = 'fill="#768390"';
        else style = "";
        return "";
      }
      return part && `<tspan ${style}>${escaped(part)}</tspan>`;
    })
    .join("");
}

const width = Math.ceil(COLUMNS * CHAR) + 40;
const height = lines.length * LINE + 60;
const text = lines
  .map((line, i) => `<text x="20" y="${56 + i * LINE}" xml:space="preserve">${spans(line)}</text>`)
  .join("\n");
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#adbac7">
<title>A terminal: ralph demo rejects a false promise, stops at a guardrail, then verifies the work</title>
<rect width="100%" height="100%" rx="10" fill="#1c2128"/>
<circle cx="22" cy="20" r="6" fill="#f47067"/><circle cx="42" cy="20" r="6" fill="#c69026"/><circle cx="62" cy="20" r="6" fill="#57ab5a"/>
${text}
</svg>
`);
