import { outputVariable } from "../../../core/workflow/environment.ts";
import type { Part } from "../../../core/workflow/workflow.ts";
import { lanesOf } from "../../../core/workflow/workflow.ts";
import { type ReadFault, valueFault } from "./fault.ts";

const OUTPUT = /\$\{?([A-Za-z][\w-]*)\.output\b/g;

/** A shell command of a workflow, and its place in the file. */
export interface PlacedCommand {
  path: readonly PropertyKey[];
  command: string;
}

/** Outputs are never spliced into commands, which find them in their environment: `$plan.output` there is a mistake. */
export function outputsInCommands(commands: readonly PlacedCommand[], parts: readonly Part[]): ReadFault[] {
  const names = new Set(parts.flatMap((part) => lanesOf(part).map(({ name }) => name)));
  return commands.flatMap(({ path, command }) => {
    const used = [...command.matchAll(OUTPUT)].map(([, name]) => name ?? "").find((name) => names.has(name));
    if (used === undefined) return [];
    const what = `$${used}.output is not filled in here: what was said or printed never becomes part of a command`;
    return [valueFault(path, what, `write "$${outputVariable(used)}", which the command finds in its environment`)];
  });
}
