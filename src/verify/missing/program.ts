import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { NO_PROGRAM } from "./messages.ts";
import { isBuiltin, isShell, type OwnCommand } from "./own-commands.ts";

export interface Ran {
  command: string;
  cwd: string;
  path: string;
  code: number;
  passed: boolean;
  /** What it printed, the lines that may name something absent. */
  lines: readonly string[];
}

/** Something that the command itself names and that is not there. */
export interface Absence {
  /** In words, such as `the program pytest was not found`. */
  what: string;
  /** Whether the output says so; otherwise only a look at the files does. */
  said: boolean;
}

interface Seen {
  own: OwnCommand;
  redefines: boolean;
  ran: Ran;
  /** Whether it ended as a shell does that could not run something. */
  notRun: boolean;
}

export function absentProgram({ own, redefines, ran, notRun }: Seen): Absence | null {
  const [program] = own.words;
  if (!program?.plain || isBuiltin(program.text) || program.text === "") return null;
  const name = program.text;
  const said = isSaid(name, ran);
  if (name.includes("/")) return absentFile(name, { own, said, notRun, isProgram: true });
  const there = findOnPath(name, ran.cwd, ran.path) !== null;
  const what = `the program ${name} was not found`;
  // One that is there can be a stand-in for others, or lack its interpreter.
  if (there || redefines || own.maybe) return said && (!there || notRun) ? { what, said } : null;
  return { what, said };
}

export function absentShellFile({ own, ran, notRun }: Seen): Absence | null {
  const [program, ...rest] = own.words;
  const reads = program?.text === "." || program?.text === "source";
  if (!program?.plain || !(reads || isShell(program.text))) return null;
  if (rest.some(({ text }) => /^-\w*[cs]$/.test(text))) return null;
  const file = rest.find(({ text }, i) => !/^[-+]/.test(text) && !/^[-+][oO]$/.test(rest[i - 1]?.text ?? ""));
  if (!file?.plain || (reads && !file.text.includes("/"))) return null;
  return absentFile(file.text, { own, said: isSaid(file.text, ran), notRun, isProgram: false });
}

interface File {
  own: OwnCommand;
  said: boolean;
  notRun: boolean;
  isProgram: boolean;
}

/** What a command before it was to make, such as a build, is work; what nothing can have made is absent. */
function absentFile(name: string, { own, said, notRun, isProgram }: File): Absence | null {
  const { dir } = own;
  const known = dir !== null && existsSync(dir);
  const exists = known && existsSync(resolve(dir, name));
  const usable = isProgram ? known && findOnPath(name, dir) !== null : exists;
  const what = exists ? `the file ${name} cannot be executed` : `the file ${name} does not exist`;
  if (known && !usable && own.first && !own.maybe) return { what, said };
  return said && own.chained && (!usable || (notRun && isProgram)) ? { what, said } : null;
}

const isSaid = (name: string, { lines }: Ran): boolean =>
  lines.some((line) => NO_PROGRAM.some((form) => form.exec(line)?.[1] === name));
