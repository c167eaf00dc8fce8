import type { PromptSource } from "../../../core/workflow/workflow.ts";
import { type ReadFault, valueFault } from "./fault.ts";

/** The text of a command file by its name, or why there is none. */
export type CommandText = (name: string) => { text: string } | { what: string; hint: string };

/** What is gathered while a workflow is read. */
export interface Reading {
  command: CommandText;
  faults: ReadFault[];
}

/** Keys that say what an agent is told. */
type Source = "command" | "step" | "prompt";

/** What the agent is told by the one key that says so. Null: it is told what is wrong. */
export function partPromptSource(
  written: { [key in Source]?: string },
  path: readonly PropertyKey[],
  { command, faults }: Reading,
): PromptSource | null {
  if (written.prompt !== undefined) return { text: written.prompt, command: null };
  const key = written.command === undefined ? "step" : "command";
  const name = written[key] ?? "";
  const found = command(name);
  if ("text" in found) return { text: found.text, command: name };
  faults.push(valueFault([...path, key], found.what, found.hint));
  return null;
}
