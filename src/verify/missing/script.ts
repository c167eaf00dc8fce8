import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { foldersUpTo } from "../../adapters/io/inside.ts";
import { jsonAt, textAt } from "../../adapters/io/look.ts";
import type { Command } from "../../core/command-line/commands.ts";
import { targetsIn } from "../../core/command-line/makefile.ts";
import { type Word, wordSet } from "../../core/command-line/words.ts";
import { fieldOf } from "../../core/field.ts";
import { readMakefiles } from "../tamper/makefiles.ts";
import { fullName, RUN } from "../tamper/package-scripts.ts";
import type { Absence } from "./program.ts";

const PACKAGED = wordSet("npm pnpm yarn bun node");
const MAKE = wordSet("make gmake");
/** Options that select other packages than that of the folder. */
const ELSEWHERE =
  /^(?:-w|-F|-r|--workspace|--workspaces|--filter|--recursive|--if-present|workspaces?|-C|--cwd|--dir|-T)\b/;
const NO_PACKAGE: ReadonlySet<string> = new Set();

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
  if (fullName(first?.text ?? "") === "test") return "test";
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
  // npm also uses the nearest one above.
  const above = [...foldersUpTo(resolve(dir, prefix), "/")].map((folder) => join(folder, "package.json"));
  const file = above.find((path) => existsSync(path));
  if (file === undefined) return NO_PACKAGE;
  const found = jsonAt(file);
  if (typeof found !== "object" || found === null) return null;
  return new Set(Object.keys(fieldOf(found, "scripts") ?? {}));
}

function hasTarget(name: string, { words, dir }: Command): boolean {
  const args = words.slice(1).map(({ text }) => text);
  if (dir === null || args.some((text) => /^(?:-C|--directory)/.test(text))) return false;
  return readMakefiles("make", args, dir, "/").files.some((file) => targetsIn(textAt(`/${file}`)).includes(name));
}
