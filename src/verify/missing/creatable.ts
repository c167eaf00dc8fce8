import { basename, resolve } from "node:path";
import { textAt } from "../../adapters/io/look.ts";
import { goalsIn, targetsIn } from "../../core/command-line/makefile.ts";
import { readMakefiles } from "../tamper/makefiles.ts";
import type { Used, UsedCommand } from "../tamper/referenced-files.ts";
import { readValue } from "../tamper/values.ts";

const MAKERS: ReadonlySet<string> = new Set(["make", "gmake", "just"]);

/** What commands use, without the files and values that change if the work creates a script or target they name. */
export function withoutCreatable(used: Used, root: string): Used {
  const open = new Set(used.commands.flatMap((command) => openMakefiles(command, root)));
  return {
    ...used,
    files: new Set([...used.files].filter((file) => !open.has(file))),
    values: new Set([...used.values].filter((key) => !isOpenScript(key, used.values, root))),
  };
}

/** Whether a script is missing, or runs before or after a missing one. */
function isOpenScript(key: string, keys: ReadonlySet<string>, root: string): boolean {
  const [, file, name] = /^(.*#scripts\.)(?:pre|post)(.+)$/.exec(key) ?? [];
  const main = `${file}${name}`;
  return readValue(root, keys.has(main) ? main : key) === null;
}

/** The makefiles of a command that names a target which is in none of them. */
function openMakefiles({ words, dir }: UsedCommand, root: string): string[] {
  const [path = "", ...rest] = words;
  const program = basename(path);
  if (!MAKERS.has(program)) return [];
  const { files } = readMakefiles(program, rest, dir, root);
  const targets = new Set(files.flatMap((file) => targetsIn(textAt(resolve(root, file)))));
  return goalsIn(rest).some((name) => !targets.has(name)) ? files : [];
}
