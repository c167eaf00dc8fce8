/** A folder of this machine, and its name in journals. */
export interface NamedFolder {
  name: string;
  path: string;
}

/**
 * Converts the paths in a value to names, and back. Journals contain names, because they outlive the machine that wrote
 * them; values in memory contain the paths of this machine.
 */
export interface Locations {
  named<T>(value: T): T;
  located<T>(value: T): T;
}

const SCHEME = "ralph:";
/** Escapes a text that looks like a name but is not. */
const QUOTED = `${SCHEME}text/`;

/**
 * Locations below these folders; the first folder that contains a path names it. Other paths stay unchanged.
 * `lookAgain`: called for an unknown name.
 */
export function locationsIn(
  known: readonly NamedFolder[],
  lookAgain: () => readonly NamedFolder[] = () => known,
): Locations {
  let folders = known;
  const nameOf = (text: string): string => {
    if (text.startsWith(SCHEME)) return QUOTED + text;
    const folder = text.startsWith("/") ? folders.find(({ path }) => isAtOrBelow(text, path)) : undefined;
    return folder ? SCHEME + folder.name + text.slice(folder.path.length) : text;
  };
  const pathOf = (text: string): string => {
    if (!text.startsWith(SCHEME)) return text;
    if (text.startsWith(QUOTED)) return text.slice(QUOTED.length);
    const name = text.slice(SCHEME.length);
    const find = () => folders.find((one) => isAtOrBelow(name, one.name));
    let folder = find();
    if (!folder) {
      folders = lookAgain();
      folder = find();
    }
    return folder ? folder.path + name.slice(folder.name.length) : text;
  };
  // A state shares most of its parts with the previous one.
  const named = new WeakMap<object, unknown>();
  return {
    named: <T>(value: T) => mapped(value, { change: nameOf, known: named }) as T,
    located: <T>(value: T) => mapped(value, { change: pathOf, known: null }) as T,
  };
}

/**
 * The fields with locations. A new event field with a path must be added here, which the compiler cannot check. A text
 * that only starts with a path stays unchanged: states repeat parts of texts.
 */
const LOCATIONS: ReadonlySet<string> = new Set([
  "ARTIFACTS_DIR",
  "cwd",
  "file",
  "flags",
  "log",
  "root",
  "scenario",
  "workingDir",
  "worktree",
]);
/** Fields that are locations only in these objects: other paths are relative, other commands are scripts. */
const LOCATIONS_IN: ReadonlyMap<string, string> = new Map([
  ["log", "path"],
  ["previous", "path"],
  ["agent", "command"],
  ["agents", "command"],
]);

/** A text for a journal: paths below these folders become relative to them. */
export const withoutFolders = (text: string, folders: readonly string[]): string =>
  folders.reduce((rest, folder) => (folder.length > 1 ? rest.replaceAll(`${folder}/`, "") : rest), text);

/** The root of the file system would name everything. */
const isAtOrBelow = (path: string, folder: string): boolean =>
  folder.length > 1 && path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/");

interface Mapping {
  change(text: string): string;
  known: WeakMap<object, unknown> | null;
}

/** The value with every location in it changed; parts without changes stay the same objects. */
function mapped(value: unknown, mapping: Mapping, key = ""): unknown {
  const { change, known } = mapping;
  if (typeof value === "string") return LOCATIONS.has(key) ? change(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const before = known?.get(value);
  if (before !== undefined) return before;
  const after = Array.isArray(value) ? mappedList(value) : isPlain(value) ? mappedFields(value) : value;
  known?.set(value, after);
  return after;

  function mappedList(list: readonly unknown[]): readonly unknown[] {
    const next = list.map((one) => mapped(one, mapping, key));
    return next.every((one, i) => one === list[i]) ? list : next;
  }

  function mappedFields(fields: object): object {
    const entries = Object.entries(fields);
    const next = entries.map(([name, one]): [string, unknown] => {
      const isLocation = LOCATIONS_IN.get(key) === name && typeof one === "string";
      return [name, isLocation ? change(one) : mapped(one, mapping, name)];
    });
    return next.every(([, one], i) => one === entries[i]?.[1]) ? fields : Object.fromEntries(next);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether two JSON values are equal, although one may contain names and the other paths: journals that an earlier
 * version started have paths in their first entries.
 */
export function sameButNamed(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b || isNameOf(a, b) || isNameOf(b, a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = new Map(Object.entries(b));
  const own = Object.entries(a);
  return own.length === fields.size && own.every(([key, one]) => fields.has(key) && sameButNamed(one, fields.get(key)));
}

function isNameOf(name: string, path: string): boolean {
  const below = /^ralph:(?:state|checkout\/[^/]+)((?:\/.*)?)$/s.exec(name)?.[1];
  return below !== undefined && path.startsWith("/") && path.endsWith(below);
}
