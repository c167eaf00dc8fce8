import { readFileSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/*
 * How modules are found and loaded in a plugin's process. On Node 20 this file is loaded a second time, in the separate
 * thread where Node runs such hooks.
 */

/** The prefix of a package name that is resolved from the loop's folder. */
export const FROM_HOME = "ralph-plugin:";
const OWN_API = "ralph-engine/plugin";

interface Later {
  registerHooks?(hooks: object): void;
  stripTypeScriptTypes?(source: string): string;
}
const later: Later & typeof module = module;

/** The loop's folder. */
type Places = { home: string };
let places: Places = { home: "/" };

/** Node passes the data that the hooks were registered with. */
export function initialize(given: Places): void {
  places = given;
}

export function installLoaderHooks(given: Places): void {
  initialize(given);
  if (later.registerHooks) later.registerHooks({ resolve, load });
  else module.register(new URL("./plugin-hooks.js", import.meta.url), { data: given });
}

type Context = { parentURL?: string };
type Next<Result> = (what: string, context: Context) => Result;

/** Packages are resolved from the loop's folder; Ralph's own interface is available wherever Ralph is installed. */
export function resolve<Result>(specifier: string, context: Context, next: Next<Result>): Result | object {
  if (specifier === OWN_API) return { url: new URL("./plugin.js", import.meta.url).href, shortCircuit: true };
  if (!specifier.startsWith(FROM_HOME)) return next(specifier, context);
  const parentURL = pathToFileURL(join(places.home, "plugin.mjs")).href;
  return next(specifier.slice(FROM_HOME.length), { ...context, parentURL });
}

/** Strips types from TypeScript if Node does not do that itself. */
export function load<Result>(url: string, context: Context, next: Next<Result>): Result | object | Promise<object> {
  const readable = !/^file:.*\.ts$/.test(url) || Reflect.get(process.features, "typescript");
  if (readable) return next(url, context);
  const source = readFileSync(fileURLToPath(url), "utf8");
  if (later.stripTypeScriptTypes) return asModule(later.stripTypeScriptTypes(source));
  return import("sucrase").then(({ transform }) =>
    asModule(
      transform(source, {
        transforms: ["typescript"],
        disableESTransforms: true,
        // Like Node: a type-only import must be marked as such.
        keepUnusedImports: true,
        filePath: fileURLToPath(url),
      }).code,
    ),
  );
}

const asModule = (source: string) => ({ format: "module", source, shortCircuit: true });
