// Draws the pictures of the README and the guides from real runs:
//   node docs/record/pictures.mjs            all of them, into docs/
//   node docs/record/pictures.mjs demo run
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { statsPicture } from "./stats.mjs";
import { drawn } from "./svg.mjs";
import { inRepository, shop, terminal } from "./terminal.mjs";

const DOCS = resolve(import.meta.dirname, "..");
const EXAMPLES = resolve(DOCS, "../examples");
/** A picture that does not fit on a screen is not looked at. */
const MOST_LINES = 45;
const COLUMNS = 100;

const PICTURES = {
  run: {
    title: "A terminal: ralph run refuses the agent's first claim, because a test fails, and verifies the second one",
    shown: 'ralph run "Make the tests pass"',
    record: () =>
      inRepository(shop, (place) => {
        terminal("ralph init --yes", place);
        return terminal('ralph run "Make the tests pass"', place, COLUMNS);
      }),
  },
  demo: {
    title: "A terminal: ralph demo rejects a false promise, stops at a guardrail, then verifies the work",
    shown: "npx ralph demo",
    record: () => inEmptyFolder((place) => terminal("npm_command=exec ralph demo", place, COLUMNS)),
  },
  workflow: {
    title: "A terminal: a workflow goes through three stories; the promise after the second one is refused",
    shown: 'ralph workflow run ralph "All stories, please"',
    record: () =>
      inRepository(join(EXAMPLES, "workflows"), (place) => {
        const flags = "--agent scripted --scenario scenarios/ralph";
        return terminal(`ralph workflow run ralph "All stories, please" ${flags}`, place, COLUMNS);
      }),
  },
  host: {
    title:
      "A terminal: ralph why of a loop in a Claude Code session; the first promise is refused, the second one proven",
    shown: "ralph why",
    record: () =>
      inRepository(shop, (place) => {
        hosted(place);
        return terminal("ralph why last", place, COLUMNS);
      }),
  },
};

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : [...Object.keys(PICTURES), "stats"]) {
  writeFileSync(join(DOCS, `${name}.svg`), name === "stats" ? statsPicture() : picture(PICTURES[name]));
  console.log(`wrote docs/${name}.svg`);
}

function picture({ title, shown, record }) {
  const { code, shown: text } = record();
  if (code !== 0) throw new Error(`${shown}: exit code ${code}\n${text}`);
  const lines = `$ ${shown}\n${text}`
    // What runs is shown again by its result, and paths of the recording's folder explain nothing.
    .replace(/^(?:\u001b\[\d+m)* {2}… .*\n/gm, "")
    .replace(/^.*(?: {2}log {7}|→ )\S*~\/\S*\n/gm, "")
    // This is announced only once in a clone.
    .replace(/^.*Ralph's own files[\s\S]*?git ignores them.*\n/gm, "")
    // The end of the agent's message is its claim, which Ralph shows by itself.
    .replace(/\n+<(response|promise)>[^<]*<\/\1>(?=\n)/g, "")
    .replace(/\n\n[^\n]*Where to look next[\s\S]*/, "")
    .trimEnd()
    .split("\n");
  if (lines.length > MOST_LINES) throw new Error(`${shown}: ${lines.length} lines, expected at most ${MOST_LINES}`);
  return drawn(lines, { title, columns: COLUMNS });
}

/** A loop in a session, through the events that Claude Code reports: two promises, the first of them too early. */
function hosted({ cwd, env }) {
  const report = (event) => {
    const input = JSON.stringify({ session_id: "5f1c9a52", cwd, ...event });
    execFileSync("ralph", ["hook", "event", "claude"], { cwd, env, input });
  };
  const claim = { hook_event_name: "Stop", last_assistant_message: "Both cases work.\n\n<promise>DONE</promise>" };
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(cwd, "src/build.mjs"), "await import('./parts.mjs');\n");
  const typed = '/ralph "Make the build work" --verify "node src/build.mjs"';
  report({ hook_event_name: "UserPromptSubmit", prompt: typed });
  report(claim);
  writeFileSync(join(cwd, "src/parts.mjs"), "export const parts = [];\n");
  report(claim);
}

function inEmptyFolder(work) {
  const empty = mkdtempSync(join(tmpdir(), "ralph-empty-"));
  try {
    writeFileSync(join(empty, "README.md"), "# Nothing\n");
    return inRepository(empty, work);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}
