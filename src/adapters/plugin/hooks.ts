import { readFileSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/*
 * How modules are found and read in the process of a plugin. On Node 20 this file is loaded a second time, in a thread
 * of its own, where Node keeps such hooks.
 */

/** Stands before the name of a package that is to be found from the loop's folder. */
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

/** Node hands over the data that the hooks were registered with. */
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

/** A package is found from the loop's folder; our own interface is there wherever Ralph was installed. */
export function resolve<Result>(specifier: string, context: Context, next: Next<Result>): Result | object {
  if (specifier === OWN_API) return { url: new URL("./plugin.js", import.meta.url).href, shortCircuit: true };
  if (!specifier.startsWith(FROM_HOME)) return next(specifier, context);
  const parentURL = pathToFileURL(join(places.home, "plugin.mjs")).href;
  return next(specifier.slice(FROM_HOME.length), { ...context, parentURL });
}

/** TypeScript without its types, where Node does not take them away by itself. */
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
        // As Node does: an import that is only a type has to say so.
        keepUnusedImports: true,
        filePath: fileURLToPath(url),
      }).code,
    ),
  );
}

const asModule = (source: string) => ({ format: "module", source, shortCircuit: true });
