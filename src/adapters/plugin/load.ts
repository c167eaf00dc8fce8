import { pathToFileURL } from "node:url";
import { shorten } from "../../core/excerpt.ts";
import { fieldOf } from "../../core/field.ts";
import { PLUGIN_FOLDER, packageFolder, pluginFiles } from "./find.ts";
import { FROM_HOME } from "./hooks.ts";
import { PLUGIN_API_VERSION, type Verifier } from "./index.ts";

/** A plugin that cannot be used, and how the user can fix it. */
export class Unusable extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Loads a plugin by name: a file with this name, or an installed package. The verifier's own `name` does not count. */
export async function loadPlugin(name: string, home: string): Promise<Verifier<unknown>> {
  const files = pluginFiles(home);
  const file = files.find((one) => one.name === name);
  if (file) return verifierOf(await loaded(name, pathToFileURL(file.path).href), name);
  if (packageFolder(name, home)) return verifierOf(await loaded(name, `${FROM_HOME}${name}`), name);
  const there =
    files.length > 0 ? `${PLUGIN_FOLDER} has ${files.map((one) => one.name).join(", ")}` : `${PLUGIN_FOLDER} has none`;
  throw new Unusable(`there is no plugin ${name}`, `${there}; a package must be installed where the loop runs`);
}

const HINT = "docs/plugins.md describes plugins";

async function loaded(name: string, specifier: string): Promise<object> {
  try {
    return await import(specifier);
  } catch (error) {
    throw new Unusable(`the plugin ${name} cannot be loaded: ${pluginErrorText(error)}`, HINT);
  }
}

function verifierOf(module: object, plugin: string): Verifier<unknown> {
  // CommonJS modules are their own default.
  const found = fieldOf(module, "verifier") ?? fieldOf(module, "default");
  if (found === undefined) {
    throw new Unusable(`the plugin ${plugin} exports neither a default nor a verifier`, HINT);
  }
  const version = fieldOf(found, "apiVersion");
  if (version !== PLUGIN_API_VERSION) {
    const given = version === undefined ? "has no apiVersion" : `has apiVersion ${shorten(String(version), 20)}`;
    throw new Unusable(`the plugin ${plugin} ${given}: this Ralph supports version ${PLUGIN_API_VERSION}`, HINT);
  }
  if (!isVerifier(found)) {
    throw new Unusable(`the plugin ${plugin} must have a name and a verify function`, HINT);
  }
  return found;
}

const isVerifier = (value: unknown): value is Verifier<unknown> =>
  typeof fieldOf(value, "name") === "string" && typeof fieldOf(value, "verify") === "function";

/** The configuration as parsed by the plugin's own schema. */
export async function fittingConfig({ config }: Verifier<unknown>, plugin: string, given: unknown): Promise<unknown> {
  if (config === undefined) return given;
  const validate = fieldOf(fieldOf(config, "~standard"), "validate");
  if (typeof validate !== "function") {
    throw new Unusable(`the config of the plugin ${plugin} is not a Standard Schema`, HINT);
  }
  const result = await config["~standard"].validate(given);
  if (!result.issues) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
    return `${["config", ...keys].join(".")}: ${message}`;
  });
  throw new Unusable(
    `the plugin ${plugin} rejects its configuration: ${issues.join("; ")}`,
    "fix verification_config, or the config of the stage",
  );
}

export const pluginErrorText = (error: unknown): string =>
  shorten(error instanceof Error ? `${error}` : String(error), 300);
