import type { Command } from "commander";
import { RalphError } from "../../../core/errors.ts";

/** What a word means that is no command, but that users of other tools type. */
type Meaning = { as: string } | { see: string };

const AGENT_HINT = "agents have their own: run `claude`, `codex` or the agent that you use, and log in there";
const LIVE = "`ralph board` shows what runs in the terminal, `ralph serve` in a browser";
const SERVER = "`ralph serve` opens the server, `ralph status` shows what runs";
const IMPORT = "`ralph task import <file>` reads a prd.json, a Markdown list, GitHub issues or YAML";

/** `as`: another word for the same. `see`: the right command is not certain, so it is only named. */
const OTHER_WORDS: Readonly<Record<string, Meaning>> = {
  stop: { as: "cancel" },
  kill: { as: "cancel" },
  abort: { as: "cancel" },
  quit: { as: "cancel" },
  "-v": { as: "--version" },
  "cancel-ralph": { as: "cancel" },
  start: { as: "run" },
  loop: { as: "run" },
  "ralph-loop": { as: "run" },
  continue: { as: "resume" },
  exec: { as: "execute" },
  setup: { as: "init" },
  ps: { as: "status" },
  ls: { as: "list" },
  log: { as: "logs" },
  tail: { as: "logs -f" },
  follow: { as: "logs -f" },
  watch: { as: "logs -f" },
  explain: { as: "why" },
  version: { as: "--version" },
  tasks: { as: "task list" },
  specs: { as: "spec list" },
  workflows: { as: "workflow list" },
  receipts: { as: "receipt" },
  add: { as: "task add" },
  import: { as: "task import" },
  show: {
    see: "`ralph status <id>` shows a loop or run, `ralph why <id>` explains it, `ralph task show <id>` a task",
  },
  info: { see: "`ralph status` shows what runs, `ralph doctor` checks the machine, the agents and the settings" },
  config: {
    see: "settings are in .ralph/settings.json: `ralph init` writes it, `ralph doctor` checks it",
  },
  settings: {
    see: "settings are in .ralph/settings.json: `ralph init` writes it, `ralph doctor` checks it",
  },
  tui: { as: "board" },
  kanban: { as: "board" },
  dashboard: { see: LIVE },
  top: { as: "board" },
  monitor: { as: "board" },
  ui: { see: SERVER },
  web: { see: SERVER },
  history: { see: "`ralph list` shows the loops, `ralph workflow runs` the runs, `ralph stats` time and cost" },
  events: { see: "`ralph why` shows what happened, `ralph why --json` every entry" },
  verify: { see: '`ralph run "…" --verify "npm test"` checks claims, `ralph receipt verify` a completed loop' },
  test: { see: "`ralph demo` runs a loop without an API key, `ralph doctor` checks the set-up" },
  check: { see: "`ralph doctor` checks the machine, the agents and the settings" },
  clean: { see: "`ralph worktrees prune` removes the worktrees and branches of finished tasks" },
  plan: { see: `\`ralph task add "…"\` creates a task; ${IMPORT}` },
  prd: { see: IMPORT },
  convert: { see: IMPORT },
  "create-prd": { see: IMPORT },
  pause: { see: "`ralph cancel` stops what runs, `ralph resume` continues it" },
  restart: { see: "`ralph resume` continues a loop, `ralph run` starts a new one" },
  rm: { see: "`ralph task delete <id>` removes a task, `ralph worktrees prune` what finished tasks left" },
  login: { see: AGENT_HINT },
  auth: { see: AGENT_HINT },
  update: { see: "`npm install -g ralph-engine@latest` updates Ralph, `ralph task update` changes a task" },
  upgrade: { see: "`npm install -g ralph-engine@latest` updates Ralph" },
  install: { see: "`ralph init` sets up this repository, `ralph hook install` a host such as Claude Code" },
};

/** The same inside groups of commands, such as `ralph task`. */
const INNER_WORDS: Readonly<Record<string, string>> = {
  ls: "list",
  rm: "delete",
  remove: "delete",
  new: "add",
  edit: "update",
  start: "run",
  check: "validate",
};

/**
 * A command line with the word for a command in place of another word for it. Throws for a word that has no certain
 * meaning, with the commands that may be meant.
 */
export function inKnownWords(program: Command, words: readonly string[]): string[] {
  const [first = "", second = "", ...rest] = words;
  if (first === "help" && second !== "") return [first, ...topic(program, second), ...rest];
  const group = commandOf(program, first);
  if (!group) return [...meaning(program, first, first), ...words.slice(1)];
  if (first === "task" && second === "retry") return [first, "update", ...rest, "--status", "todo"];
  if (first === "cancel" && second === "all") return [first, "--all", ...rest];
  const other = Object.hasOwn(INNER_WORDS, second) ? INNER_WORDS[second] : undefined;
  const isMeant = other !== undefined && !commandOf(group, second) && commandOf(group, other) !== undefined;
  return isMeant ? [first, other, ...rest] : [...words];
}

/** A topic of the help is one command, without its options. */
const topic = (program: Command, word: string): string[] => {
  const [name = word] = meaning(program, word, `help ${word}`);
  return [name.startsWith("-") ? "--help" : name];
};

function meaning(program: Command, word: string, typed: string): string[] {
  const found = Object.hasOwn(OTHER_WORDS, word) && !commandOf(program, word) ? OTHER_WORDS[word] : undefined;
  if (!found) return [word];
  if ("as" in found) return found.as.split(" ");
  throw new RalphError("usage", `there is no command \`ralph ${typed}\``, { hint: found.see });
}

const commandOf = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
