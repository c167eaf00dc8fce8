import { quoted } from "../../../core/shell.ts";

/** How a host starts us for an event, as a line for its shell. */
const EVENT = (host: string): string => `hook event ${host}`;

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A path as one word of a shell line. On Windows the shell may be any of three; all read forward slashes in double quotes. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return `"${path.replaceAll("\\", "/").replace(/[$`]/g, "\\$&")}"`;
  return PLAIN.test(path) ? path : quoted(path);
}

/** The line that runs `file` with `node`. */
export const nodeLine = (host: string, node: string, file: string, platform?: NodeJS.Platform): string =>
  `${shellWord(node, platform)} ${shellWord(file, platform)} ${EVENT(host)}`;

/** The line that runs whatever `ralph` is on PATH. */
export const pathLine = (host: string): string => `ralph ${EVENT(host)}`;

const IN_PROJECT = "node_modules/ralph-engine/dist/ralph.js";

/** The line that runs the project's own ralph-engine, wherever the project lies. */
export const projectLine = (host: string): string => `node "$CLAUDE_PROJECT_DIR/${IN_PROJECT}" ${EVENT(host)}`;

const OURS = /(?:^|[\s"'/\\])ralph(?:\.js|\.cmd|\.exe)?["']?\s+hook\s+event\s+(?:claude|codex|opencode)\b/;

/** Whether a hook's line is one of ours, whichever version wrote it and wherever it was then: one that starts us. */
export function isOurs(line: string): boolean {
  if (!OURS.test(line)) return false;
  const words = programWords(line, "");
  const [first = "", second, ...more] = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  // Either we are the program, or what `node` runs. Others may speak of us.
  if (second === undefined) return /(?:^|[/\\])ralph(?:\.js|\.cmd|\.exe)?$/.test(first);
  return more.length === 0 && /(?:^|[/\\])ralph\.js$/.test(second);
}

/** The words before `hook event`: the program and what it is given. Quotes are taken off, `$CLAUDE_PROJECT_DIR` filled in. */
export function programWords(line: string, project: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    if (word === "hook") break;
    words.push(unquoted(word).replace(/^\$\{?CLAUDE_PROJECT_DIR\}?/, () => project));
  }
  return words;
}

const unquoted = (word: string): string =>
  word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? (double === undefined ? (escaped ?? "") : double.replace(/\\([\\"$`])/g, "$1")),
  );
