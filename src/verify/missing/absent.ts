import { basename } from "node:path";
import { type Command, type CommandLine, commandsIn } from "../../core/command-line/commands.ts";
import { MESSAGES, NO_MODULE } from "../../core/command-line/missing-messages.ts";
import { isBuiltin } from "../../core/command-line/programs.ts";
import { fullName } from "../tamper/package-scripts.ts";
import { type Absence, absentProgram, absentShellFile, type Ran } from "./program.ts";
import { isDefined, missingScript } from "./script.ts";

/** A shell's exit codes for a command that is missing or cannot be run. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/**
 * Why a check could not be run: something that its own command names is missing. Anything that only the tests or the
 * called scripts need does not count: there is work to do. Null if it was run.
 */
export function absentIn(ran: Ran): string | null {
  const whole = commandsIn(ran.command, ran.cwd);
  const line = { ...whole, commands: whole.commands.filter(({ source }) => source === "line") };
  const found = line.commands.map((own) => ({ own, absence: absenceOf(own, line, ran) }));
  for (const { own, absence } of found) {
    if (!absence || hasAlternative(own, line, found)) continue;
    if (!ran.passed || absence.said || own.first) return absence.what;
  }
  if (ran.passed || !NOT_RUN.has(ran.code)) return null;
  // Only the shell knows which program the word expands to.
  const isOpaque = line.commands.some(({ words }) => words[0]?.plain === false);
  return isOpaque ? `the command could not be run (exit code ${ran.code})` : null;
}

/** Of alternative commands, one that exists is enough. */
function hasAlternative(
  own: Command,
  line: CommandLine,
  found: readonly { own: Command; absence: Absence | null }[],
): boolean {
  if (!line.alternatives.has(own.list)) return false;
  return found.some(({ own: other, absence }) => {
    const program = other.words[0]?.text ?? "";
    return other.list === own.list && other !== own && !isBuiltin(program) && !absence;
  });
}

function absenceOf(own: Command, line: CommandLine, ran: Ran): Absence | null {
  const seen = { own, redefines: line.redefines, ran, notRun: !ran.passed && NOT_RUN.has(ran.code) };
  return absentProgram(seen) ?? absentShellFile(seen) ?? absentModule(own, ran) ?? absentPart(own, ran);
}

function absentModule({ words }: Command, { lines }: Ran): Absence | null {
  const python = words.findIndex(({ text }) => /^(?:python|pypy|py)[\d.]*$/.test(basename(text)));
  if (python === -1) return null;
  const option = words.findIndex(({ text }, i) => i > python && text === "-m");
  const name = option === -1 ? undefined : words[option + 1]?.text;
  const said = lines.some((text) => NO_MODULE.some((form) => form.exec(text)?.[1] === name));
  return name !== undefined && said ? { what: `${words[python]?.text} has no module ${name}`, said: true } : null;
}

function absentPart(own: Command, { lines, passed }: Ran): Absence | null {
  const [first, ...rest] = own.words;
  const program = basename(first?.text ?? "").replace(/\.(?:cmd|exe|bat)$/, "");
  const names = new Set(rest.flatMap(({ text }) => [text, text.replace(/(.)@[^@/]*$/, "$1"), fullName(text)]));
  for (const { by, says, what } of MESSAGES) {
    if (!by.test(program)) continue;
    for (const text of lines) {
      const found = says.exec(text);
      const name = found?.[1] ?? "";
      // If the files define the name, the message is about another package or makefile, further down.
      if (found && (name === "" || names.has(name)) && !isDefined(program, name, own)) {
        return { what: what(name), said: true };
      }
    }
  }
  return missingScript(program, own, passed);
}
