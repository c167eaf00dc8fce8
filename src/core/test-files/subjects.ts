import { decidingKind } from "./file-role.ts";

/** A file of the repository that a test imports, or that its name refers to. */
export interface Subject {
  path: string;
  /** The names that the test takes from it, as the file defines them. */
  names: readonly string[];
  /** The names that they have in the test. */
  bound: readonly string[];
}

/** The repository now. */
interface Now {
  exists(path: string): boolean;
  /** Whether any source file that exists defines the name: then its file was moved, and its test must move too. */
  defines(name: string): boolean;
}

/**
 * Whether everything that a test tests was removed from the repository. `null`: unknown, so no. Without names it cannot
 * be seen whether a file was only moved.
 */
export function isObsolete(
  subjects: readonly Pick<Subject, "path" | "names">[] | null | undefined,
  { exists, defines }: Now,
): boolean {
  if (!subjects || subjects.length === 0) return false;
  return subjects.every(({ path, names }) => !exists(path) && names.length > 0 && !names.some(defines));
}

/**
 * What a test file tests: the files of the repository that it imports, without other tests and their helpers. Null if
 * an import cannot be resolved to a file that exists. Paths are relative to the root.
 */
export function subjectsOf(path: string, source: string, exists: (path: string) => boolean): Subject[] | null {
  const imports = /\.[cm]?[jt]sx?$/.test(path)
    ? javascriptImports(path, source)
    : path.endsWith(".py")
      ? pythonImports(path, source)
      : namesake(path);
  const found = imports.map(({ names, bound, places, isLocal }): Subject | "unknown" | "elsewhere" => {
    const file = places.find(exists);
    if (file === undefined) return isLocal ? "unknown" : "elsewhere";
    return { path: file, names, bound };
  });
  if (found.includes("unknown")) return null;
  return found.filter((one) => typeof one === "object").filter((one) => decidingKind(one.path) === null);
}

interface Import {
  names: string[];
  bound: string[];
  /** The files that it may mean, the first one that exists counts. */
  places: string[];
  /** It cannot mean an installed package. */
  isLocal: boolean;
}

const FROM = /\b(?:import|export)\b([^'"`;()]*?)\bfrom\s*["']([^"'\n]+)["']/g;
const REQUIRED = /(?:\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+)?)?\b(?:require|import)\(\s*["']([^"'\n]+)["']/g;
const BARE = /^[ \t]*import\s*["']([^"'\n]+)["']/gm;
const ENDINGS = ["", ".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", ".json"];

function javascriptImports(path: string, source: string): Import[] {
  const found = [
    ...[...source.matchAll(FROM)].map(([, clause = "", from = ""]) => ({ clause, from })),
    ...[...source.matchAll(REQUIRED)].map(([, clause = "", from = ""]) => ({ clause, from })),
    ...[...source.matchAll(BARE)].map(([, from = ""]) => ({ clause: "", from })),
  ];
  return found.map(({ clause, from }) => ({
    ...namesOf(clause),
    places: from.startsWith(".") ? modulesAt(joined(folderOf(path), from.replace(/\?.*$/, ""))) : [],
    isLocal: /^(?:\.|@\/|~|#)/.test(from),
  }));
}

/** In `{ a as b, c: d }` the file defines `a` and `c`. A default or namespace import has a name of the test's choice. */
function namesOf(clause: string): Pick<Import, "names" | "bound"> {
  const inBraces = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  const pairs = inBraces.split(",").map((part) =>
    part
      .replace(/^\s*type\s+/, "")
      .trim()
      .split(/\s+as\s+|\s*:\s*/),
  );
  const names = pairs.map(([name = ""]) => name).filter((name) => name !== "" && name !== "default");
  const whole = clause.replace(/\{[^}]*\}/, "").replace(/\btype\b|\bas\b/g, " ");
  return { names, bound: [...pairs.flatMap((pair) => pair.at(-1) || []), ...(whole.match(/[\w$]+/g) ?? [])] };
}

/** TypeScript imports `x.ts` as `./x.js`. */
function modulesAt(place: string): string[] {
  const bare = place.replace(/\.([cm]?)jsx?$/, "");
  return [place, ...(bare === place ? [] : [bare])].flatMap((name) => [
    ...ENDINGS.map((ending) => name + ending),
    ...ENDINGS.slice(1).map((ending) => joined(name, `index${ending}`)),
  ]);
}

function pythonImports(path: string, source: string): Import[] {
  const froms = [...source.matchAll(/^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)/gm)];
  const plain = [...source.matchAll(/^[ \t]*import[ \t]+([^\n#]+)/gm)];
  return [
    ...froms.flatMap(([, dots = "", module = "", list = ""]) => {
      const words = list.replace(/[()]/g, "").split(",");
      return words
        .filter((one) => /^\s*\w/.test(one))
        .map((one) => pythonImport({ path, up: dots.length }, module, one));
    }),
    ...plain.flatMap(([, list = ""]) =>
      list.split(",").map((one) => ({
        ...pythonImport({ path, up: 0 }, one.trim().split(/\s/)[0] ?? "", null),
        bound: one.match(/\w+$/) ?? [],
      })),
    ),
  ];
}

/** `from a import b`: `b` is a module, or a name that `a` defines. */
function pythonImport(from: { path: string; up: number }, module: string, item: string | null): Import {
  const { path, up: dots } = from;
  const [name = null, bound = name] = item?.trim().split(/\s+as\s+/) ?? [];
  const parts = module.split(".").filter(Boolean).join("/");
  const up = "../".repeat(Math.max(0, dots - 1));
  const roots = dots > 0 ? [joined(folderOf(path), up)] : foldersAbove(path).flatMap((at) => [at, joined(at, "src")]);
  const filesOf = (at: string) => (at === "" ? [] : [`${at}.py`, `${at}/__init__.py`]);
  const places = roots.flatMap((root) => {
    const at = joined(root, parts);
    return [...(name === null ? [] : filesOf(joined(at, name))), ...filesOf(at)];
  });
  return { names: name === null ? [] : [name], bound: bound === null ? [] : [bound], places, isLocal: dots > 0 };
}

/** Elsewhere, a test is named for its subject: `a_test.go` for `a.go`, `ATest.java` for `A.java`. */
function namesake(path: string): Import[] {
  const [, folder = "", base = "", ending = ""] = /^(.*\/)?([^/]+?)(\.\w+)$/.exec(path) ?? [];
  const stem = base.replace(/(?:_test|_spec|Tests?|Spec|IT|TestCase)$/, "").replace(/^(?:test_|Test(?=[A-Z]))/, "");
  if (stem === base || stem === "") return [];
  const folders = [
    folder,
    folder.replace(/(^|\/)src\/test\//, "$1src/main/"),
    ...["src", "lib", "app"].map((to) => folder.replace(/(^|\/)(?:tests?|specs?)\//, `$1${to}/`)),
    folder.replace(/(^|\/)(?:tests?|specs?)\//, "$1"),
  ];
  const isType = /^[A-Z]/.test(stem);
  return [{ names: isType ? [stem] : [], bound: [], places: folders.map((at) => at + stem + ending), isLocal: false }];
}

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return [...parts.keys()].map((i) => parts.slice(0, parts.length - i).join("/")).concat("");
}

/** Paths that lead out of the root keep their `..`, and match nothing. */
function joined(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
