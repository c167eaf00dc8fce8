// Records a command in a pseudo-terminal and draws what it showed:
//   node docs/record.mjs demo > docs/demo.svg
//   node docs/record.mjs workflow > docs/workflow.svg
//   node docs/record.mjs host > docs/host.svg
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const COLUMNS = 100;
const LINE = 18;
const CHAR = 8.4;
const COLOURS = { 31: "#f47067", 32: "#57ab5a", 33: "#c69026", 35: "#b083f0", 36: "#39c5cf" };
const RALPH = `node ${resolve(import.meta.dirname, "../dist/ralph.js")}`;

const RECORDINGS = {
  demo: {
    shown: "npx ralph demo",
    title: "A terminal: ralph demo rejects a false promise, stops at a guardrail, then verifies the work",
    record: () => terminal("demo"),
  },
  workflow: {
    shown: 'ralph workflow run ralph "All stories, please"',
    title: "A terminal: a workflow goes through three stories; the promise after the second one is refused",
    record: () =>
      inExample("workflows", (cwd) =>
        terminal('workflow run ralph "All stories, please" --agent scripted --scenario scenarios/ralph', cwd),
      ),
  },
  host: {
    shown: "ralph why last",
    title:
      "A terminal: ralph why of a loop in a Claude Code session; the first promise is refused, the second one proven",
    record: () => inRepository((cwd) => terminal("why last", hosted(cwd))),
  },
};
const { shown, title, record } = RECORDINGS[process.argv[2] ?? "demo"];

/** What a command shows in a terminal. */
function terminal(command, cwd = process.cwd()) {
  return execFileSync(
    "script",
    ["-qec", `stty cols ${COLUMNS}; CI=1 npm_command=exec ${RALPH} ${command}`, "/dev/null"],
    { encoding: "utf8", cwd, env: { ...process.env, RALPH_STATE_DIR: join(cwd, ".git", "ralph") } },
  );
}

/** Does something in a copy of an example that is a repository of its own. */
const inExample = (name, work) =>
  inRepository(work, (folder) =>
    cpSync(resolve(import.meta.dirname, "../examples", name), folder, { recursive: true }),
  );

/** A loop in a session, through the events that Claude Code tells of it: two promises, the first of them too early. */
function hosted(cwd) {
  const env = { ...process.env, RALPH_STATE_DIR: join(cwd, ".git", "ralph") };
  const tell = (event) => {
    const input = JSON.stringify({ session_id: "5f1c9a52", cwd, ...event });
    execFileSync("sh", ["-c", `${RALPH} hook event claude`], { cwd, env, input });
  };
  const claim = { hook_event_name: "Stop", last_assistant_message: "Both cases work.\n\n<promise>DONE</promise>" };
  mkdirSync(join(cwd, "src"), { recursive: true });
  const typed = '/ralph "Make the build work" --verify "node src/build.mjs"';
  writeFileSync(join(cwd, "src/build.mjs"), "await import('./parts.mjs');\n");
  tell({ hook_event_name: "UserPromptSubmit", prompt: typed });
  tell(claim);
  writeFileSync(join(cwd, "src/parts.mjs"), "export const parts = [];\n");
  tell(claim);
  return cwd;
}

/** Does something in a repository that is there for nothing else. */
function inRepository(work, fill = (folder) => writeFileSync(join(folder, "README.md"), "# Parts\n")) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-record-"));
  try {
    fill(folder);
    const git = (...args) => execFileSync("git", args, { cwd: folder });
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Somebody");
    git("config", "user.email", "somebody@example.invalid");
    git("add", "--all");
    git("commit", "--quiet", "-m", "Start");
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lines = `$ ${shown}\n${record()}`
  .replaceAll("\r", "")
  // What runs is told again by its result.
  .replace(/^(?:\u001b\[\d+m)* {2}… .*\n/gm, "")
  .replace(/\/\S*\/ralph-demo-\w+/g, "/tmp/ralph-demo")
  // Paths of the folder that it was recorded in tell nothing.
  .replace(/^.*(?: {2}log {7}| → )\S*ralph-record-.*\n/gm, "")
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
<title>${title}</title>
<rect width="100%" height="100%" rx="10" fill="#1c2128"/>
<circle cx="22" cy="20" r="6" fill="#f47067"/><circle cx="42" cy="20" r="6" fill="#c69026"/><circle cx="62" cy="20" r="6" fill="#57ab5a"/>
${text}
</svg>
`);
