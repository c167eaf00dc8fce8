import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkoutRoot } from "../../io/checkout.ts";
import { environment } from "../../io/environment.ts";
import { placesOf } from "./places.ts";
import { glance } from "./seen.ts";

/** What of an installation Codex has not been told to trust, as far as its configuration tells; null: all is trusted. */
export function distrusted(
  file: string,
  cwd: string,
  env: NodeJS.ProcessEnv = environment(),
): "project" | "hook" | null {
  const config = glance(join(dirname(placesOf("codex", "user", { cwd, env }).hooks ?? ""), "config.toml"));
  const isOfProject = file === placesOf("codex", "project", { cwd, env }).hooks;
  const folders = [cwd, checkoutRoot(cwd)].flatMap((folder) => (folder === null ? [] : both(folder)));
  if (isOfProject && !folders.some((folder) => isTrusted(config, folder))) return "project";
  const states = both(file).map((path) => `[hooks.state.${JSON.stringify(`${path}:stop:`).slice(0, -1)}`);
  return states.some((head) => config.includes(head)) ? null : "hook";
}

function isTrusted(config: string, folder: string): boolean {
  const [, after = ""] = config.split(`[projects.${JSON.stringify(folder)}]`);
  return /^\s*trust_level\s*=\s*"trusted"/m.test(after.split(/^\[/m)[0] ?? "");
}

/** A path as it was named, and as it is without links. */
function both(path: string): string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}
