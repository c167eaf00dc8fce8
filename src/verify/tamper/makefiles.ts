import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { statAt } from "./file-state.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
};
const MOST_FILES = 100;
const MOST_BYTES = 1 << 20;

/** The files that make and similar tools read, with includes. All usual names: `makefile` overrides `Makefile`. */
export function makefilesOf(program: string, args: readonly string[], dir: string, root: string): string[] {
  const given = args.filter((_, i) => ["-f", "--file", "--makefile", "--justfile"].includes(args[i - 1] ?? ""));
  const named = given.map((file) => resolve(dir, file));
  const usual = (NAMES[program] ?? []).map((name) => resolve(dir, name));
  const first = named.length > 0 ? named : usual.some((file) => existsSync(file)) ? usual : [];
  const found = new Set<string>();
  const waiting = [...first];
  for (let file = waiting.pop(); file !== undefined && found.size < MOST_FILES; file = waiting.pop()) {
    if (found.has(file) || !isBelow(file, root)) continue;
    found.add(file);
    waiting.push(...includesOf(file, dir));
  }
  return [...found].map((file) => relative(root, file)).sort();
}

/** Names with variables or patterns cannot be resolved. */
function includesOf(file: string, dir: string): string[] {
  const stats = statAt(file);
  if (!stats?.isFile() || stats.size > MOST_BYTES) return [];
  const text = readFileSync(file, "utf8");
  const names = [...text.matchAll(/^(?:[-s]?include|import\??)[ \t]+(.+)$/gm)].flatMap(([, rest = ""]) =>
    rest.replace(/#.*/, "").replace(/['"]/g, "").trim().split(/\s+/),
  );
  const plain = names.filter((name) => name !== "" && !/[$*?%]/.test(name));
  // Make resolves from its working folder, just from the file's folder.
  return plain.flatMap((name) => [resolve(dir, name), resolve(dirname(file), name)]).filter((path) => existsSync(path));
}
