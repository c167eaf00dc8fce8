import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { HOST_NAMES } from "../../../core/host.ts";
import { findOnPath } from "../../io/find-on-path.ts";
import type { Ground, HostInstallation, Installed, Scope } from "../host.ts";
import { type HostPlaces, placesOf } from "../places.ts";
import { readIfPresent } from "./found-file.ts";
import { programWords } from "./hook-line.ts";
import { type Hooks, hooksFault, hooksIn } from "./hooks-json.ts";
import type { Wanted } from "./plan.ts";
import { commandTexts, hasOurMark, markedScript, skillText } from "./texts.ts";

/** Checks may take hours, and the host waits for them. At the end of a session Codex warns after three seconds. */
const SECONDS = { UserPromptSubmit: 21_600, Stop: 21_600, SessionEnd: 3 };

/** What a host runs: a shell line in its hooks, or the code of its plugin. */
export type Given = { line: string; plugin: string };

export function hostFiles(
  { commandHead }: HostInstallation,
  { hooks, plugin, commands, skill }: HostPlaces,
  { line, plugin: code }: Given,
): Wanted[] {
  const ours: Hooks = { command: line, events: SECONDS };
  const texts = commands === null ? [] : commandTexts(commandHead);
  return [
    // Commands before hooks: a session that starts in between finds a command that reports the missing hook.
    ...texts.map(({ name, content }) => ({ path: join(commands ?? "", name), text: content })),
    ...(skill === null ? [] : [{ path: join(skill, "SKILL.md"), text: skillText() }]),
    ...(plugin === null ? [] : [{ path: plugin, text: markedScript(code) }]),
    ...(hooks === null ? [] : [{ path: hooks, hooks: ours }]),
  ];
}

/** The same files, for an uninstall, which does not need their content. */
export const ownFiles = (installation: HostInstallation, places: HostPlaces): Wanted[] =>
  hostFiles(installation, places, { line: "", plugin: "" });

/** The installation for a scope; null if there is none or its files cannot be read. */
export function installedIn(installation: HostInstallation, scope: Scope, { cwd, env }: Ground): Installed | null {
  const places = placesOf(installation.host, scope, env ? { cwd, env } : { cwd });
  const found = places.hooks === null ? inPlugin(installation, places.plugin ?? "") : inHooks(places.hooks, cwd);
  if (!found) return null;
  const { host } = installation;
  const missing = ownFiles(installation, places)
    .map(({ path }) => path)
    .filter((path) => path !== found.file && !existsSync(path));
  return { host, scope, ...found, missing };
}

type Found = Pick<Installed, "file" | "starts" | "events" | "gone" | "fault">;

/** How Ralph's lines end, even in an invalid file. */
const OUR_WORDS = new RegExp(`\\bhook event (?:${HOST_NAMES.join("|")})\\b`);

function inHooks(file: string, cwd: string): Found | null {
  const text = textAt(file);
  const hooks = hooksIn(text);
  const fault = hooksFault({ path: file, text });
  const [first] = hooks;
  if (!first)
    return fault !== null && OUR_WORDS.test(text) ? { file, starts: "", events: [], gone: null, fault } : null;
  const gone = hooks.map(({ command }) => missingIn(programWords(command, cwd), cwd)).find((word) => word !== null);
  return { file, starts: first.command, events: hooks.map(({ event }) => event), gone: gone ?? null, fault };
}

function inPlugin({ plugin }: HostInstallation, file: string): Found | null {
  const text = textAt(file);
  if (!plugin || !hasOurMark(text)) return null;
  const words = plugin.programs(text, file);
  return { file, starts: words.join(" "), events: [], gone: missingIn(words, dirname(file)), fault: null };
}

/** The first of these programs and files that does not exist. Other words are ignored. */
function missingIn(words: readonly string[], cwd: string): string | null {
  const isMissing = (word: string, at: number) => {
    if (isAbsolute(word)) return !existsSync(word);
    return at === 0 && !word.includes("=") && findOnPath(word, cwd) === null;
  };
  return words.find(isMissing) ?? null;
}

const textAt = (file: string): string => readIfPresent(file).replace("\ufeff", "");
