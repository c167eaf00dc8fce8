import { resolve } from "node:path";

/** One program with its arguments, and the folder it runs in. */
export interface SimpleCommand {
  words: readonly string[];
  dir: string;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words that stand before the real command. */
const PREFIXES = set("! time exec env command nice sudo timeout npx bunx if then do else cross-env dotenv -- {");
/** Options that say in which folder the program works. */
const FOLDER_OPTIONS = set("-C --prefix --cwd --dir --directory");

/** The simple commands of a shell command line. Quotes and substitutions are not understood, only looked through. */
export function simpleCommands(line: string, dir: string): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let at = dir;
  for (const part of line.split(/[;&|()`\n]+/)) {
    const words = withoutPrefixes(part.split(/[\s"']+/).filter(Boolean));
    const [program, first] = words;
    if (program === "cd" && first) at = resolve(at, first);
    else if (program) found.push({ words, dir: folderOf(words, at) });
  }
  return found;
}

function withoutPrefixes(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word) && !/^\w+=/.test(word) && !/^\d+[smh]?$/.test(word));
  return start === -1 ? [] : words.slice(start);
}

function folderOf(words: readonly string[], dir: string): string {
  for (const [i, word] of words.entries()) {
    const [option = "", value = words[i + 1]] = word.split("=");
    if (FOLDER_OPTIONS.has(option) && value !== undefined) return resolve(dir, value);
  }
  return dir;
}
