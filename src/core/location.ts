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
  return {
    named: <T>(value: T) => mapped(value, nameOf) as T,
    located: <T>(value: T) => mapped(value, pathOf) as T,
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

/**
 * The value, from JSON, with every location in it changed; parts without changes stay the same objects. Runs for every
 * entry and state that is written, so it copies nothing else.
 */
function mapped(value: unknown, change: (text: string) => string, key = ""): unknown {
  if (typeof value === "string") return LOCATIONS.has(key) ? change(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mappedList(value, change, key);
  return isPlain(value) ? mappedFields(value, change, key) : value;
}

function mappedList(list: readonly unknown[], change: (text: string) => string, key: string): readonly unknown[] {
  let next: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const one = mapped(list[i], change, key);
    if (one === list[i]) continue;
    next ??= [...list];
    next[i] = one;
  }
  return next ?? list;
}

function mappedFields(fields: Fields, change: (text: string) => string, key: string): Fields {
  const own = LOCATIONS_IN.get(key);
  let next: Fields | null = null;
  for (const name of Object.keys(fields)) {
    const before = fields[name];
    const isLocation = name === own && typeof before === "string";
    const after = isLocation ? change(before) : mapped(before, change, name);
    if (after === before) continue;
    next ??= { ...fields };
    next[name] = after;
  }
  return next ?? fields;
}

type Fields = Record<string, unknown>;

function isPlain(value: object): value is Fields {
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
