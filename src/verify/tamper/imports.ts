import { dirname, extname, relative, resolve } from "node:path";
import { isInside } from "../../adapters/io/inside.ts";
import { isFileAt, textAt } from "../../adapters/io/look.ts";
import type { Ownership } from "./frozen-paths.ts";
import { isDeciderName } from "./nature.ts";

const MOST_BYTES = 256 << 10;
const MOST_FILES = 200;
const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|pl|php|lua|mk)$/;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".sh", "/index.js", "/index.ts", "/__init__.py"];

/** The code files that a file names, with its extension or without. */
export function namedIn(file: string, top: string, root: string): string[] {
  const text = textAt(file, MOST_BYTES);
  const words = [...new Set(joined(text).match(/[\w@.~/-]+/g))].filter((word) => /[/.]/.test(word));
  const modules = extname(file) === ".py" ? pythonModules(text) : [];
  const places = [...words, ...modules].flatMap((word) => [resolve(dirname(file), word), resolve(root, word)]);
  return [...new Set(places)].flatMap((place) => codeAt(place, top));
}

/** With the names that code joins: `join(__dirname, "a", "b.js")`, `${__dirname}/b.js`, `__dirname + "/b.js"`. */
const joined = (text: string): string =>
  `${text}\n${text
    .replace(/(?:\$\{)?\b(?:__dirname|import\.meta\.dirname)\}?(?:\s*[+,]\s*)?(?:["'`]\/?)?/g, "./")
    .replace(/["'`]\s*,\s*["'`]/g, "/")}`;

const pythonModules = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)].map(([, name = ""]) =>
    name.replace(/^\./, "./").replaceAll(/(?<=\w)\./g, "/"),
  );

/** The code file that a name refers to, with an extension that may be omitted. */
function codeAt(place: string, top: string): string[] {
  if (!isInside(place, top) || /\/(?:node_modules|\.git)(?:\/|$)/.test(place)) return [];
  const file = ENDINGS.map((ending) => place + ending).find(isFileAt);
  return file !== undefined && CODE.test(file) ? [file] : [];
}

/**
 * The files that the code of a check loads, directly or not, and that belong to the check: those below its own folder,
 * unless that is the whole project, and those named like checks. Any other may be the work that is checked.
 */
export function importsOf(
  script: string,
  { root, top, owned }: { root: string; top: string; owned: Ownership },
): string[] {
  const own = dirname(script);
  const isOwn = (path: string) =>
    (own !== root && own !== top && isInside(path, own)) || isDeciderName(relative(top, path));
  const found = new Set([script]);
  for (const file of found) {
    for (const path of namedIn(file, top, root)) {
      if (found.size < MOST_FILES && !owned.isWork(path) && (owned.exact || isOwn(path))) found.add(path);
    }
  }
  found.delete(script);
  return [...found];
}
