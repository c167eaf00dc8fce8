import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import type { Command } from "../../core/command-line/command.ts";
import { NO_PROGRAM } from "../../core/command-line/missing-messages.ts";
import { isBuiltin, isShell } from "../../core/command-line/programs.ts";

export interface Ran {
  command: string;
  cwd: string;
  path: string;
  code: number;
  passed: boolean;
  /** The lines of its output that may name something missing. */
  lines: readonly string[];
}

/** Something that the command itself names and that is missing. */
export interface Absence {
  /** In words, such as `the program pytest was not found`. */
  what: string;
  /** Whether the output reports it; otherwise only the files show it. */
  said: boolean;
}

interface Seen {
  own: Command;
  redefines: boolean;
  ran: Ran;
  /** Whether it exited like a shell that could not run something. */
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
  // An existing program may be a wrapper for others, or lack its interpreter.
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
  own: Command;
  said: boolean;
  notRun: boolean;
  isProgram: boolean;
}

/** A file that an earlier command creates, such as a build, is work. A file that nothing could create is missing. */
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
