import { resolve } from "node:path";

/** One program with its arguments, and the folder it runs in. */
export interface SimpleCommand {
  words: readonly string[];
  /** The words in front of it, such as `npx` or `timeout 30`. */
  before: readonly string[];
  dir: string;
}

/** The words of a line as a set. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const PREFIXES = wordSet("! time exec env command nice sudo timeout npx bunx if then do else cross-env dotenv -- {");
/** Options that set the working folder of the program. */
const FOLDER_OPTIONS = wordSet("-C --prefix --cwd --dir --directory");

/** The simple commands of a shell command line. Quotes and substitutions are not parsed, only searched. */
export function simpleCommands(line: string, dir: string): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let at = dir;
  for (const part of line.split(/[;&|()`\n]+/)) {
    const all = part.split(/[\s"']+/).filter(Boolean);
    const words = withoutPrefixes(all);
    const [program, first] = words;
    if (program === "cd" && first) at = resolve(at, first);
    else if (program) found.push({ ...inFolder(words, at), before: all.slice(0, all.length - words.length) });
  }
  return found;
}

function withoutPrefixes(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word) && !/^\w+=/.test(word) && !/^\d+[smh]?$/.test(word));
  return start === -1 ? [] : words.slice(start);
}

function inFolder(words: readonly string[], dir: string): Pick<SimpleCommand, "words" | "dir"> {
  const place = words.findIndex((word) => FOLDER_OPTIONS.has(word.split("=")[0] ?? ""));
  if (place === -1) return { words, dir };
  const [, inWord] = words[place]?.split("=") ?? [];
  const folder = inWord ?? words[place + 1] ?? ".";
  return { words: words.toSpliced(place, inWord === undefined ? 2 : 1), dir: resolve(dir, folder) };
}
