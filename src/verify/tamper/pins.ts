import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { foldersUpTo } from "../../adapters/io/inside.ts";
import { isFolderAt, namesIn } from "../../adapters/io/look.ts";
import { goalsIn } from "../../core/command-line/makefile.ts";
import { RUNTIMES, spelledOut, TOOLS, type ToolFiles, VITE_CONFIG } from "../../core/tamper/tools.ts";
import type { UsedCommand } from "./called-program.ts";
import { nearestPackage } from "./package-scripts.ts";
import { homeKey, programsOf } from "./programs.ts";
import type { Used } from "./referenced-files.ts";

/** What must not change besides scripts: whole files, existing or not, and single values. */
export interface PinnedFiles {
  files: string[];
  values: string[];
}

interface Called {
  name: string;
  tool: ToolFiles;
  dir: string;
}

/** The configuration of the tools that the commands call, and the programs themselves. */
export function pinsOf(used: Used, root: string): PinnedFiles {
  const called = toolsOf(used.commands);
  const files = called.flatMap((one) =>
    above(one, root).flatMap(({ folder, at }) => filesOf(one, folder, root).map((name) => at(name))),
  );
  const sections = called.flatMap((one) =>
    above(one, root).flatMap(({ at }) => (one.tool.sections ?? []).map((name) => at(name))),
  );
  const homes = called.flatMap(({ tool }) => (tool.home ?? []).map(([file]) => homeKey(file)));
  const keys = called.flatMap((one) => keysOf(one, root));
  const values = [...used.values, ...sections, ...keys, ...homes, ...programsOf(used.commands, root)];
  return { files: [...new Set(files)], values: [...new Set(values)] };
}

const above = ({ dir }: Called, root: string): { folder: string; at(name: string): string }[] =>
  [...foldersUpTo(dir, checkoutRoot(root) ?? root)].map((folder) => ({
    folder,
    at: (name) => relative(root, join(folder, name)),
  }));

function keysOf({ tool, dir }: Called, root: string): string[] {
  const manifest = tool.keys ? nearestPackage(dir, root) : null;
  return manifest === null ? [] : (tool.keys ?? []).map((key) => `${relative(root, manifest)}#${key}`);
}

export function toolsOf(commands: readonly UsedCommand[]): Called[] {
  return commands.flatMap(({ words, before, dir }) =>
    [...before, ...words].flatMap((word) => {
      const name = basename(word).replace(/@[^/]*$/, "");
      const table = [TOOLS, RUNTIMES].find((tools) => Object.hasOwn(tools, name));
      const tool = table?.[name];
      return tool ? [dir, ...rootsIn(words, dir)].map((at) => ({ name, tool, dir: at })) : [];
    }),
  );
}

/** Options whose value may be the folder in which a tool starts to search. */
const ROOTS = /^(?:--(?:root-?dir|root|projects?|test-dir|build)|-[prb])$/i;

const rootsIn = (words: readonly string[], dir: string): string[] =>
  words.flatMap((word, i) => {
    const [option = "", value] = word.startsWith("-") ? word.split("=") : [words[i - 1], word];
    const folder = resolve(dir, value ?? "");
    return value && ROOTS.test(option) && isFolderAt(folder) ? [folder] : [];
  });

/** The goals of make, without options and variables. */
export function makeGoals(commands: readonly UsedCommand[]): string[] {
  return commands.flatMap(({ words }) => {
    const place = words.findIndex((word) => /^(?:g?make|just)$/.test(basename(word)));
    return place === -1 ? [] : goalsIn(words.slice(place + 1));
  });
}

/** Version managers start a program by a small one of their own that reads what the folder asks for. */
const MANAGED = /\/(?:shims|\.?asdf|mise|\.?volta|fnm_multishells|\.?nodenv|\.?pyenv|\.?rbenv|proto)\//;

function filesOf({ name, tool, dir }: Called, folder: string, root: string): string[] {
  const own = (tool.files ?? []).flatMap(spelledOut);
  const needsVite = tool === TOOLS.vitest && !own.some((file) => existsSync(join(dir, file)));
  const versions = tool.versions && MANAGED.test(findOnPath(name, root) ?? "") ? tool.versions : [];
  const others = [...(tool.reads ?? []), ...versions, ...(needsVite ? [VITE_CONFIG] : [])];
  return [...own, ...others.flatMap(spelledOut), ...(folder === dir ? likeOf(tool, dir) : [])];
}

function likeOf({ like }: ToolFiles, dir: string): string[] {
  return like ? namesIn(dir).filter((name) => name.startsWith(like[0]) && name.endsWith(like[1])) : [];
}
