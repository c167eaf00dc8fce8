import { HOST_NAMES } from "../../../core/host.ts";
import { quoted } from "../../../core/shell.ts";

export const EXAMPLE = 'ralph "make the tests pass" --verify "npm test"';

const EVENT = (host: string): string => `hook event ${host}`;

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A path as one word of a shell line. On Windows three shells are possible; all accept `/` in double quotes. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return `"${path.replaceAll("\\", "/").replace(/[$`]/g, "\\$&")}"`;
  return PLAIN.test(path) ? path : quoted(path);
}

export const nodeLine = (host: string, node: string, file: string, platform?: NodeJS.Platform): string =>
  `${shellWord(node, platform)} ${shellWord(file, platform)} ${EVENT(host)}`;

/** The line that runs whatever `ralph` is on PATH. */
export const pathLine = (host: string): string => `ralph ${EVENT(host)}`;

/** The program of a project's own ralph-engine, relative to the project. */
export const PROJECT_PROGRAM = "node_modules/ralph-engine/dist/ralph.js";

const OURS = new RegExp(
  `(?:^|[\\s"'/\\\\])ralph(?:\\.js|\\.cmd|\\.exe)?["']?\\s+hook\\s+event\\s+(?:${HOST_NAMES.join("|")})\\b`,
);

/** Whether a hook's line starts Ralph, in any version and installed anywhere. */
export function isOurs(line: string): boolean {
  if (!OURS.test(line)) return false;
  const words = programWords(line, "");
  const [first = "", second, ...more] = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  // Ralph is the program, or what `node` runs. Other programs may have Ralph's name in their arguments.
  if (second === undefined) return /(?:^|[/\\])ralph(?:\.js|\.cmd|\.exe)?$/.test(first);
  return more.length === 0 && /(?:^|[/\\])ralph\.js$/.test(second);
}

/** The words before `hook event`: the program and its arguments, unquoted, with `$CLAUDE_PROJECT_DIR` expanded. */
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
