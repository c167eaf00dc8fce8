import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { nearestPackage } from "./package-scripts.ts";
import { programsOf } from "./programs.ts";
import type { Used } from "./referenced-files.ts";
import type { SimpleCommand } from "./simple-commands.ts";
import { spelledOut, TOOLS, type ToolFiles, VITE_CONFIG } from "./tools.ts";

/** What must not change besides scripts: whole files, existing or not, and single values. */
export interface PinnedFiles {
  files: string[];
  values: string[];
}

/** The configuration of the tools that the commands call, and the programs themselves. */
export function pinsOf(used: Used, root: string, testsMayChange: boolean): PinnedFiles {
  const files = new Set<string>();
  const values = new Set<string>(used.values);
  for (const { tool, dir } of toolsOf(used.commands)) {
    const at = (name: string) => relative(root, join(dir, name));
    for (const name of filesOf(tool, dir)) files.add(at(name));
    for (const name of tool.sections ?? []) values.add(at(name));
    const manifest = tool.keys ? nearestPackage(dir, root) : null;
    if (manifest !== null) for (const key of tool.keys ?? []) values.add(`${relative(root, manifest)}#${key}`);
  }
  for (const program of programsOf(used.commands, root)) values.add(program);
  const wanted = [...files].filter((path) => !(testsMayChange && isShared(path)));
  return { files: wanted.filter((path) => !path.startsWith("..")), values: [...values] };
}

/** Shared by tests: it may change where tests may change. */
export const isShared = (path: string): boolean => basename(path) === "conftest.py";

function toolsOf(commands: readonly SimpleCommand[]): { tool: ToolFiles; dir: string }[] {
  return commands.flatMap(({ words, before, dir }) =>
    [...before, ...words].flatMap((word) => {
      const name = basename(word).replace(/@[^/]*$/, "");
      const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
      return tool ? [{ tool, dir }] : [];
    }),
  );
}

function filesOf(tool: ToolFiles, dir: string): string[] {
  const names = (tool.files ?? []).flatMap(spelledOut);
  const needsVite = tool === TOOLS.vitest && !names.some((name) => existsSync(join(dir, name)));
  return [...names, ...(needsVite ? spelledOut(VITE_CONFIG) : []), ...likeOf(tool, dir)];
}

function likeOf({ like }: ToolFiles, dir: string): string[] {
  if (!like || !existsSync(dir)) return [];
  return readdirSync(dir).filter((name) => name.startsWith(like[0]) && name.endsWith(like[1]));
}
