import { decidingKind } from "./file-role.ts";

/** Something of the repository that a test uses. */
export interface Subject {
  path: string;
  /** What the file calls it; null if that is unknown, as for a whole module. */
  name: string | null;
}

/** An import of the repository, or what a file named like the test defines. */
export interface Source extends Subject {
  /** The name that it has in the test; null if it has none. */
  bound: string | null;
}

/** The repository now. */
interface Now {
  /** Whether any source file defines the name: then what it names was moved, and its test must move too. */
  defines(name: string): boolean;
  /** Whether a file still contains the name, in whatever way it defines it. */
  mentions(path: string, name: string): boolean;
}

/**
 * Whether everything that a test tests was removed from the repository: files, or parts of them. `null`: unknown, so
 * no. Without a name it cannot be seen whether something was only moved.
 */
export function isObsolete(subjects: readonly Subject[] | null | undefined, { defines, mentions }: Now): boolean {
  if (!subjects || subjects.length === 0) return false;
  return subjects.every(({ path, name }) => name !== null && !mentions(path, name) && !defines(name));
}

/** The repository when its tests are read. */
export interface Look {
  exists(path: string): boolean;
  /** The names that a file defines. */
  definedIn(path: string): readonly string[];
  /** The other files of a folder, by their paths. */
  beside(path: string): readonly string[];
}

/**
 * What a test file tests: what it imports from the repository, without other tests and their helpers. Null if an import
 * cannot be resolved to a file that exists. Paths are relative to the root.
 */
export function sourcesOf(path: string, text: string, look: Look): Source[] | null {
  const isScript = /\.[cm]?[jt]sx?$/.test(path);
  const imports = isScript ? javascriptImports(path, text) : path.endsWith(".py") ? pythonImports(path, text) : null;
  if (!imports) return definedSources(path, look);
  const found = imports.map(({ items, places, isLocal }): Source[] | "unknown" => {
    const file = places.find(look.exists);
    if (file === undefined) return isLocal ? "unknown" : [];
    if (decidingKind(file) !== null) return [];
    return items.map(({ name, bound }) => ({ path: file, name: isModule(file, name) ? null : name, bound }));
  });
  return found.includes("unknown") ? null : found.flatMap((one) => (one === "unknown" ? [] : one));
}

/** In Python, `from a import b` may mean the module `a/b.py`. */
const isModule = (file: string, name: string | null): boolean =>
  [`${name}.py`, `${name}/__init__.py`].some((end) => file === end || file.endsWith(`/${end}`));

/** Those that a test uses. Of a whole module, the members that it names. */
export function usedIn(body: string, sources: readonly Source[]): Subject[] {
  const words = new Set(body.match(/[\w$]+/g));
  return sources.flatMap(({ path, name, bound }): Subject[] => {
    if (bound === null || !words.has(bound)) return [];
    if (name !== null) return [{ path, name }];
    const members = [...body.matchAll(/([\w$]+)\s*\??\.\s*([\w$]+)/g)].filter(([, object]) => object === bound);
    return members.length === 0 ? [{ path, name }] : members.map(([, , member = ""]) => ({ path, name: member }));
  });
}

/** What other languages do not import: what the same package or file, or a file named like the test, defines. */
function definedSources(path: string, { exists, definedIn, beside }: Look): Source[] {
  const places = path.endsWith(".go")
    ? beside(path).filter((other) => other.endsWith(".go") && !other.endsWith("_test.go"))
    : path.endsWith(".rs")
      ? rustPlaces(path, beside)
      : namesakes(path).filter(exists).slice(0, 1);
  return places.flatMap((place): Source[] => {
    const names = definedIn(place);
    if (names.length === 0) return [{ path: place, name: null, bound: null }];
    return names.map((name) => ({ path: place, name, bound: name }));
  });
}

/** The file itself, or the crate for a test in its folder `tests`. */
function rustPlaces(path: string, beside: Look["beside"]): string[] {
  const root = /^(.*\/)?tests\/[^/]+$/.exec(path);
  return root ? beside(`${root[1] ?? ""}src/lib.rs`).filter((other) => other.endsWith(".rs")) : [path];
}

interface Import {
  items: Omit<Source, "path">[];
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
    items: itemsOf(clause),
    places: from.startsWith(".") ? modulesAt(joined(folderOf(path), from.replace(/\?.*$/, ""))) : [],
    isLocal: /^(?:\.|@\/|~|#)/.test(from),
  }));
}

/** In `{ a as b, c: d }` the file defines `a` and `c`. A default or namespace import has a name of the test's choice. */
function itemsOf(clause: string): Import["items"] {
  const inBraces = (/\{([^}]*)\}/.exec(clause)?.[1] ?? "").split(",").flatMap((part) => {
    const [name = "", bound = name] = part
      .replace(/^\s*type\s+/, "")
      .trim()
      .split(/\s+as\s+|\s*:\s*/);
    return name === "" ? [] : [{ name: name === "default" ? null : name, bound }];
  });
  const whole = clause.replace(/\{[^}]*\}/, "").replace(/\btype\b|\bas\b/g, " ");
  const modules = (whole.match(/[\w$]+/g) ?? []).map((bound) => ({ name: null, bound }));
  const items = [...inBraces, ...modules];
  return items.length > 0 ? items : [{ name: null, bound: null }];
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
        items: [{ name: null, bound: /\w+$/.exec(one.trim())?.[0] ?? null }],
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
  return { items: [{ name, bound }], places, isLocal: dots > 0 };
}

/** A test named for its subject: `ATest.java` for `A.java`, `a_spec.rb` for `a.rb`. */
function namesakes(path: string): string[] {
  const [, folder = "", base = "", ending = ""] = /^(.*\/)?([^/]+?)(\.\w+)$/.exec(path) ?? [];
  const stem = base.replace(/(?:_test|_spec|Tests?|Spec|IT|TestCase)$/, "").replace(/^(?:test_|Test(?=[A-Z]))/, "");
  if (stem === base || stem === "") return [];
  const folders = [
    folder,
    folder.replace(/(^|\/)src\/test\//, "$1src/main/"),
    ...["src", "lib", "app"].map((to) => folder.replace(/(^|\/)(?:tests?|specs?)\//, `$1${to}/`)),
    folder.replace(/(^|\/)(?:tests?|specs?)\//, "$1"),
  ];
  return folders.map((at) => at + stem + ending);
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
