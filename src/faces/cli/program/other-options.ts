/** Options of other tools and commands: the command they are typed after, and the answer. */
const OTHER_OPTIONS: readonly (readonly [command: string, options: readonly string[], hint: string])[] = [
  ["run", ["--iterations", "-n", "--max-loops"], "the maximum number of iterations is -m, such as -m 5"],
  ["run", ["--prd"], "`ralph task import prd.json` reads its tasks, `ralph execute` runs them"],
  ["run", ["-f", "--file"], "a prompt in a file: ralph run --prompt-file PROMPT.md"],
  ["run", ["--completion-promise"], "the text of the completion tag: --completion-response DONE"],
  ["execute", ["--timeout"], "the maximum duration of everything: ralph execute --max-duration 8h"],
  ["status", ["--watch", "-w", "--follow", "-f"], "`ralph logs -f` follows an agent"],
  ["cancel", ["-a"], "everything that runs here: ralph cancel --all"],
];

const TAKES_AGENT_FLAGS: readonly string[] = ["run", "resume", "execute"];

/** What an option that the command does not have probably means; null if that is unknown. */
export function otherOption(command: string, message: string): string | null {
  const [, option = ""] = /unknown option '(-[^'=]*)/.exec(message) ?? [];
  if (option === "") return null;
  const known = OTHER_OPTIONS.find(([name, options]) => name === command && options.includes(option));
  if (known) return known[2];
  // Commander has recognised a typing error.
  if (message.includes("Did you mean") || !TAKES_AGENT_FLAGS.includes(command)) return null;
  const example = command === "run" ? 'ralph run "…"' : `ralph ${command}`;
  return `\`ralph ${command} --help\` shows its options; flags for the agent go after --: ${example} -- ${option} …`;
}
