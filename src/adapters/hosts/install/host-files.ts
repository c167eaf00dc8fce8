import { join } from "node:path";
import type { HostInstallation, HostPlaces } from "../host.ts";
import type { Hooks } from "./hooks-json.ts";
import type { Wanted } from "./plan.ts";
import { commandTexts, markedScript, skillText } from "./texts.ts";

/** Real checks may take hours, and the host waits for them; of a session's end Codex complains beyond three seconds. */
const SECONDS = { UserPromptSubmit: 21_600, Stop: 21_600, SessionEnd: 3 };

/** What of ours a host is given to run: a line for the shell in its hooks, or the code of its plugin. */
export interface Given {
  line: string;
  plugin: string;
}

/** Every file of an installation, and what is to be in it. */
export function hostFiles(
  { commandHead }: HostInstallation,
  { hooks, plugin, commands, skill }: HostPlaces,
  { line, plugin: code }: Given,
): Wanted[] {
  const ours: Hooks = { command: line, events: SECONDS };
  const texts = commands === null ? [] : commandTexts(commandHead);
  return [
    // First what the hooks need: a session that begins meanwhile finds a command without its hook, which says so.
    ...texts.map(({ name, content }) => ({ path: join(commands ?? "", name), text: content })),
    ...(skill === null ? [] : [{ path: join(skill, "SKILL.md"), text: skillText() }]),
    ...(plugin === null ? [] : [{ path: plugin, text: markedScript(code) }]),
    ...(hooks === null ? [] : [{ path: hooks, hooks: ours }]),
  ];
}

/** The same files, for taking out what is ours: then it does not matter what would be written. */
export const ownFiles = (installation: HostInstallation, places: HostPlaces): Wanted[] =>
  hostFiles(installation, places, { line: "", plugin: "" });
