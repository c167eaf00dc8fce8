import type { Command, CommandLine } from "./command.ts";
import { isShell } from "./programs.ts";
import { usesIn } from "./roles.ts";
import { type RoleContext, type Use, usesOfWord } from "./use.ts";

/** What each command of a line uses, with the folder in which its paths are. */
export function usesOf(line: CommandLine, contextFor: (command: Command) => RoleContext): Map<Command, Use[]> {
  const found = new Map(line.commands.map((command) => [command, usesIn(command, contextFor(command))] as const));
  const all = [...found.values()];
  const opaque = all.some(({ runsInput }) => runsInput);
  const uses = new Map<Command, Use[]>();
  // The pipelines in which a later command runs what it reads.
  const running = new Set<number>();
  for (const command of line.commands.toReversed()) {
    const { uses: own = [], runsInput = false } = found.get(command) ?? {};
    const feeds = command.prints === "code" || running.has(command.pipe) || (opaque && givesValues(command));
    if (runsInput || (opaque && command.words[0]?.text === "read")) running.add(command.pipe);
    const changed = command.source === "guess" ? guessed : feeds ? asCode : (use: Use) => use;
    uses.set(command, own.map(changed));
  }
  const [first] = line.commands;
  if (first) uses.get(first)?.push(...inputsOf(line, contextFor(first), opaque));
  return uses;
}

/** What loops and groups read; a command in one may run it. */
const inputsOf = ({ inputs }: CommandLine, { known }: RoleContext, opaque: boolean): Use[] =>
  inputs.flatMap((word) => usesOfWord(word, known, opaque ? "run" : "read"));

const asCode = (use: Use): Use => (use.role === "included" ? use : { ...use, role: "run" });
const guessed = (use: Use): Use => (use.role === "read" || use.role === "run" ? use : { ...use, role: "text" });

/** Whether what it prints or reads may be run by its name. */
function givesValues({ words, prints }: Command): boolean {
  const program = words[0]?.text ?? "";
  if (prints === "value" || /^(?:mapfile|readarray)$/.test(program)) return true;
  // `find … -exec sh -c '…' _ {} +`
  return program === "find" && words.some(({ text }) => isShell(text)) && words.some(({ text }) => text === "{}");
}
