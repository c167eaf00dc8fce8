import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "../../core/command-line/command.ts";
import { type Word, wordSet } from "../../core/command-line/words.ts";
import { fieldOf } from "../../core/field.ts";
import { readJson } from "../tamper/package-scripts.ts";
import { targetsIn } from "./creatable.ts";
import type { Absence } from "./program.ts";

const PACKAGED = wordSet("npm pnpm yarn bun node");
const MAKE = wordSet("make gmake");
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
/** Options that select other packages than that of the folder. */
const ELSEWHERE =
  /^(?:-w|-F|-r|--workspace|--workspaces|--filter|--recursive|--if-present|workspaces?|-C|--cwd|--dir|-T)\b/;
const SCRIPTS = wordSet("test t tst");
const NO_PACKAGE: ReadonlySet<string> = new Set();
const RUN = wordSet("run run-script rum urn");

/** Whether the files define a script or target of this name: then the message was about another one. */
export function isDefined(program: string, name: string, own: Command): boolean {
  if (PACKAGED.has(program) && name === "") return scriptsOf(own) !== NO_PACKAGE;
  if (PACKAGED.has(program)) return scriptsOf(own)?.has(name) ?? false;
  if (MAKE.has(program) && name !== "") return hasTarget(name, own);
  return false;
}

const SILENT = /^(?:-s|--silent|--loglevel=silent|--reporter=silent)$/;

/**
 * A missing script that npm or pnpm was asked to run, if they printed nothing about it or were not reached. A run that
 * passes did not need it, unless it was silent and ends in a pipe.
 */
export function missingScript(program: string, own: Command, passed: boolean): Absence | null {
  if ((program !== "npm" && program !== "pnpm") || own.maybe) return null;
  const given = own.words.slice(1).filter(({ text }, i) => !text.startsWith("-") && own.words[i]?.text !== "--prefix");
  const name = scriptIn(given);
  const scripts = scriptsOf(own);
  if (name === null || !scripts || scripts.has(name) || name === "env") return null;
  const talks = !own.words.some(({ text }) => SILENT.test(text));
  if (talks && (passed || scripts === NO_PACKAGE)) return null;
  return { what: `the package script "${name}" does not exist`, said: false };
}

function scriptIn([first, second]: readonly Word[]): string | null {
  if (SCRIPTS.has(first?.text ?? "")) return "test";
  return RUN.has(first?.text ?? "") && second?.plain ? second.text : null;
}

/** The scripts of the package that a command uses; null if the files do not show it. */
function scriptsOf({ words, dir }: Command): ReadonlySet<string> | null {
  const options = words.map(({ text }) => text);
  const ends = options.indexOf("--");
  if (options.slice(1, ends === -1 ? undefined : ends).some((text) => ELSEWHERE.test(text))) return null;
  const place = options.findIndex((text) => /^--prefix\b/.test(text));
  const prefix = place === -1 ? "." : (options[place]?.split("=")[1] ?? options[place + 1] ?? ".");
  if (dir === null || !existsSync(resolve(dir, prefix))) return null;
  const file = packageFile(resolve(dir, prefix));
  if (file === null) return NO_PACKAGE;
  const found = readJson(file);
  if (typeof found !== "object" || found === null) return null;
  return new Set(Object.keys(fieldOf(found, "scripts") ?? {}));
}

/** npm also uses the nearest one above. */
function packageFile(dir: string): string | null {
  for (let at = dir; ; at = dirname(at)) {
    const file = join(at, "package.json");
    if (existsSync(file)) return file;
    if (at === dirname(at)) return null;
  }
}

function hasTarget(name: string, { words, dir }: Command): boolean {
  if (dir === null || words.some(({ text }) => /^(?:-C|-f|--file|--makefile|--directory)/.test(text))) return false;
  const file = MAKEFILES.map((makefile) => join(dir, makefile)).find((path) => existsSync(path));
  return file !== undefined && targetsIn(file).includes(name);
}
