import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { KnownHost } from "../../../core/host.ts";
import { findOnPath } from "../../io/find-on-path.ts";
import { programWords } from "./hook-line.ts";
import { hooksFault, hooksIn } from "./hooks-json.ts";
import { ownFiles } from "./host-files.ts";
import type { HostPlaces, Scope } from "./places.ts";
import { pluginPrograms } from "./plugin-code.ts";
import { glance } from "./seen.ts";
import { hasOurMark } from "./texts.ts";

/** An installation that was found. */
export interface Installed {
  host: KnownHost;
  scope: Scope;
  /** The file that makes the host start us. */
  file: string;
  /** What it starts. */
  starts: string;
  /** The events that it tells us of; empty: whatever its plugin asks for. */
  events: readonly string[];
  /** A program of that line that is no longer there; null: all of them are. */
  gone: string | null;
  /** Why the host cannot read that file; null: it can. */
  fault: string | null;
  /** Commands and skills that belong to it and are not there. */
  missing: readonly string[];
}

/** What is installed in these places; null: nothing. Files that cannot be read are no installation. */
export function installedIn(places: HostPlaces, cwd: string): Installed | null {
  const found = places.hooks === null ? inPlugin(places.plugin ?? "") : inHooks(places.hooks, cwd);
  if (!found) return null;
  const { host, scope } = places;
  const missing = ownFiles(places)
    .map(({ path }) => path)
    .filter((path) => path !== found.file && !existsSync(path));
  return { host, scope, ...found, missing };
}

type Found = Pick<Installed, "file" | "starts" | "events" | "gone" | "fault">;

/** How our own lines end, whatever is wrong with the file around them. */
const OUR_WORDS = /\bhook event (?:claude|codex)\b/;

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

function inPlugin(file: string): Found | null {
  const text = textAt(file);
  if (!hasOurMark(text)) return null;
  const words = pluginPrograms(text, file);
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

const textAt = (file: string): string => glance(file).replace("\ufeff", "");
