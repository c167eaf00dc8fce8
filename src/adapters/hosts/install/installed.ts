import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { HOST_NAMES } from "../../../core/host.ts";
import { findOnPath } from "../../io/find-on-path.ts";
import type { Ground, HostInstallation, Installed, Scope } from "../host.ts";
import { readIfPresent } from "./found-file.ts";
import { programWords } from "./hook-line.ts";
import { hooksFault, hooksIn } from "./hooks-json.ts";
import { ownFiles } from "./host-files.ts";
import { hasOurMark } from "./texts.ts";

/** What is installed for a scope; null: nothing. Files that cannot be read are no installation. */
export function installedIn(installation: HostInstallation, scope: Scope, { cwd, env }: Ground): Installed | null {
  const places = installation.places(scope, env ? { cwd, env } : { cwd });
  const found = places.hooks === null ? inPlugin(installation, places.plugin ?? "") : inHooks(places.hooks, cwd);
  if (!found) return null;
  const { host } = installation;
  const missing = ownFiles(installation, places)
    .map(({ path }) => path)
    .filter((path) => path !== found.file && !existsSync(path));
  return { host, scope, ...found, missing };
}

type Found = Pick<Installed, "file" | "starts" | "events" | "gone" | "fault">;

/** How our own lines end, whatever is wrong with the file around them. */
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

/** The first of these programs and files that is not there; words that name neither are left alone. */
function missingIn(words: readonly string[], cwd: string): string | null {
  const isMissing = (word: string, at: number) => {
    if (isAbsolute(word)) return !existsSync(word);
    return at === 0 && !word.includes("=") && findOnPath(word, cwd) === null;
  };
  return words.find(isMissing) ?? null;
}

const textAt = (file: string): string => readIfPresent(file).replace("\ufeff", "");
