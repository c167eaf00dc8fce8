import { basename, dirname, join, relative, resolve } from "node:path";
import { jsonAt } from "../../adapters/io/look.ts";
import { wordSet } from "../../core/command-line/words.ts";
import { fieldOf } from "../../core/field.ts";
import { matcherOf, walkFiles } from "./globs.ts";

const MANAGERS = wordSet("npm pnpm yarn bun lerna turbo npx");
/** Options that select packages by name or folder. */
const SELECTS = /^(?:-w|--workspace|--filter|-F|--scope)$/;
const SELECTS_ALL = /^(?:--workspaces|-ws|-r|--recursive|-A|--all)$/;
/** For pnpm, `-w` is the root. */
const isRootOption = (program: string, word: string): boolean => program === "pnpm" && word === "-w";

/** A command without the words that select packages. */
export function withoutSelection(words: readonly string[]): readonly string[] {
  const [path = "", ...rest] = words;
  const program = basename(path);
  if (!MANAGERS.has(program)) return words;
  const left = rest.filter((word, i) => {
    const before = rest[i - 1] ?? "";
    const isValue = SELECTS.test(before) && !isRootOption(program, before);
    return !isValue && !SELECTS.test(word.split("=")[0] ?? "") && !SELECTS_ALL.test(word);
  });
  if (program !== "yarn") return [path, ...left];
  const place = left.findIndex((word) => !word.startsWith("-"));
  if (left[place] === "workspace") return [path, ...left.slice(place + 2)];
  if (left[place] !== "workspaces") return [path, ...left];
  return [path, ...left.slice(place + 1).filter((word) => word !== "foreach")];
}

/** The folders of the packages that a command selects; null if it selects none. */
export function selectedFolders(words: readonly string[], dir: string, top: string): string[] | null {
  const [path = "", ...rest] = words;
  const program = basename(path);
  if (!MANAGERS.has(program)) return null;
  const ends = rest.indexOf("--");
  const options = ends === -1 ? rest : rest.slice(0, ends);
  const wanted = options.flatMap((word, i) => {
    const [option = "", value] = word.split("=");
    if (value !== undefined && SELECTS.test(option)) return [value];
    const before = options[i - 1] ?? "";
    return (SELECTS.test(before) && !isRootOption(program, before)) || (program === "yarn" && before === "workspace")
      ? [word]
      : [];
  });
  const isAll =
    options.some((word) => SELECTS_ALL.test(word) || (program === "yarn" && word === "workspaces")) ||
    (wanted.length === 0 && (program === "lerna" || program === "turbo"));
  if (!isAll && wanted.length === 0) return null;
  const packages = packagesBelow(top);
  if (isAll) return packages.map(({ folder }) => folder);
  return packages.filter((one) => wanted.some((text) => isSelected(one, text, dir))).map(({ folder }) => folder);
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
