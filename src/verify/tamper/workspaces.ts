import { basename, dirname, join, relative, resolve } from "node:path";
import { jsonAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import { wordSet } from "../../core/command-line/words.ts";
import { fieldOf } from "../../core/field.ts";
import { matcherOf } from "./globs.ts";

const MANAGERS = wordSet("npm pnpm yarn bun lerna turbo npx");
/** Options that select packages by name or folder. */
const SELECTS = /^(?:-w|--workspace|--filter|-F|--scope)$/;
const SELECTS_ALL = /^(?:--workspaces|-ws|-r|--recursive|-A|--all)$/;

interface Selection {
  /** The command without the words that select packages. */
  words: readonly string[];
  /** The packages; null if none is selected. */
  wanted: readonly string[] | "all" | null;
}

/** What a word of some managers means in terms of the options; nothing for pnpm's option for the root. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  "yarn workspace": ["-w"],
  "yarn workspaces": ["-r"],
  "yarn foreach": [],
  "pnpm -w": [],
};

/** Which packages of a workspace a command selects. */
export function selectionIn([path = "", ...given]: readonly string[]): Selection {
  const program = basename(path);
  if (!MANAGERS.has(program)) return { words: [path, ...given], wanted: null };
  const rest = given.flatMap((word) => MEANINGS[`${program} ${word}`] ?? word);
  const left: string[] = [];
  const wanted: string[] = [];
  let isAll = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [option = "", value] = word.split("=");
    if (word === "--") left.push(word, ...rest.splice(0));
    else if (SELECTS_ALL.test(word)) isAll = true;
    else if (SELECTS.test(option)) wanted.push(value ?? rest.shift() ?? "");
    else left.push(word);
  }
  isAll ||= wanted.length === 0 && (program === "lerna" || program === "turbo");
  return { words: [path, ...left], wanted: isAll ? "all" : wanted.length > 0 ? wanted : null };
}

/** The folders of the packages that a command selects; null if it selects none. */
export function selectedFolders(words: readonly string[], dir: string, top: string): string[] | null {
  const { wanted } = selectionIn(words);
  if (wanted === null) return null;
  const packages = packagesBelow(top);
  const selected =
    wanted === "all" ? packages : packages.filter((one) => wanted.some((text) => isSelected(one, text, dir)));
  return selected.map(({ folder }) => folder);
}

interface Package {
  folder: string;
  name: string;
}

const MOST_SEEN = 20_000;

function packagesBelow(top: string): Package[] {
  const found: Package[] = [];
  const skip = new Set(["node_modules", ".git", "dist", "build", "vendor", "target"]);
  for (const path of walkFiles(top, "", { skip, most: MOST_SEEN })) {
    if (basename(path) === "package.json")
      found.push({ folder: join(top, dirname(path)), name: String(fieldOf(jsonAt(join(top, path)), "name") ?? "") });
  }
  return found;
}

/** By name, or by the folder or a folder above it, both as text or as a glob; `...` of pnpm also selects others. */
function isSelected({ folder, name }: Package, text: string, dir: string): boolean {
  const plain = text.replace(/^\.\.\.\^?|\^?\.\.\.$|^[{]|[}]$/g, "");
  if (plain === "") return false;
  const path = relative(dir, folder);
  const glob = relative(dir, resolve(dir, plain));
  return (
    name === plain || matcherOf(plain)(name) || path === glob || matcherOf(glob)(path) || path.startsWith(`${glob}/`)
  );
}
