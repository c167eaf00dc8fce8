import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Where a repository keeps its plugins, relative to the loop's folder. */
export const PLUGIN_FOLDER = ".ralph/plugins";

const FILE = /^(?<name>[^.].*?)(?<!\.d)\.(?:mjs|js|ts)$/;

/** The files that may be plugins. A file's name without the extension is the plugin's name. */
export function pluginFiles(home: string): { name: string; path: string }[] {
  const folder = join(home, PLUGIN_FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const name = FILE.exec(file)?.groups?.name;
      return name === undefined ? [] : [{ name, path: join(folder, file) }];
    });
}

/** The folder of an installed package, found the way Node does: here and in every folder above. */
export const packageFolder = (name: string, home: string): string | null =>
  packagePlaces(name, home).find(isPackage) ?? null;

const isPackage = (folder: string): boolean => existsSync(join(folder, "package.json"));

/** Where a package of this name could be, nearest first. */
function packagePlaces(name: string, home: string): string[] {
  const root = /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?=\/|$)/.exec(name)?.[0];
  const places: string[] = [];
  for (let folder = home; root !== undefined; folder = dirname(folder)) {
    places.push(join(folder, "node_modules", root));
    if (dirname(folder) === folder) break;
  }
  return places;
}

/** Places before that of the package: a package added there would replace it. */
function nearerPlaces(name: string, home: string): string[] {
  const places = packagePlaces(name, home);
  return places.slice(0, Math.max(0, places.findIndex(isPackage)));
}

// A verifier is small; of a larger package only a part is fingerprinted.
const MOST_FILES = 1_000;

/**
 * The files to fingerprint if plugins decide completion: everything in the plugins' folder, files that could replace a
 * plugin, whether they exist or not, and the files of plugin packages.
 */
export function pluginPaths(names: readonly string[], home: string): string[] {
  if (names.length === 0) return [];
  const packages = names.flatMap((name) => packageFolder(name, home) ?? []);
  const folder = join(home, PLUGIN_FOLDER);
  return [
    ...names
      .filter(isFileName)
      .flatMap((name) => ["js", "mjs", "ts"].map((type) => `${PLUGIN_FOLDER}/${name}.${type}`)),
    ...[
      ...[...(existsSync(folder) ? [folder] : []), ...packages].flatMap(filesIn),
      ...names.flatMap((name) => nearerPlaces(name, home)),
    ].map((path) => relative(home, path)),
  ];
}

const isFileName = (name: string): boolean => !/[\\/]/.test(name);

function filesIn(folder: string): string[] {
  const files: string[] = [];
  for (const open = [folder]; open.length > 0 && files.length < MOST_FILES; ) {
    const next = open.pop() ?? "";
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.isFile()) files.push(join(next, entry.name));
      else if (entry.isDirectory() && entry.name !== "node_modules") open.push(join(next, entry.name));
    }
  }
  return files;
}
