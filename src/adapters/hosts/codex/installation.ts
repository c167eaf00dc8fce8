import { join } from "node:path";
import { checkoutRoot } from "../../io/checkout.ts";
import { realPathOf } from "../../io/look.ts";
import type { HostInstallation, Installed } from "../host.ts";
import { readIfPresent } from "../install-files/found-file.ts";
import { EXAMPLE } from "../install-files/hook-line.ts";
import { placesOf } from "../places.ts";

const TRUST =
  'Codex skips hooks that were not trusted, and reports nothing: open `codex` here once and choose "Trust all and continue", again after every change of the hook.';
const PROJECT_TRUST =
  "Hooks of a project also need the project to be trusted, which codex asks when it is opened there.";

export const codexInstallation: HostInstallation = {
  host: "codex",
  commandHead: () => [],
  dependencyLine: null,
  plugin: null,
  nextSteps: (scope) => [
    TRUST,
    ...(scope === "project" ? [PROJECT_TRUST] : []),
    `Then type: $${EXAMPLE}   (codex exec takes it with a slash: /ralph …)`,
  ],
  unusedBelow: null,
  hasOwnPlugin: () => false,
  doubt(installed: readonly Installed[], cwd: string) {
    const doubts = installed.map(({ file }) => distrusted(file, cwd));
    if (doubts.includes(null)) return null;
    return { is: "warning", hint: doubts.includes("project") ? `${PROJECT_TRUST} ${TRUST}` : TRUST };
  },
  limits: () => [],
};

/** Which part of an installation Codex does not trust, according to its configuration; null if it trusts all. */
function distrusted(file: string, cwd: string): "project" | "hook" | null {
  const config = readIfPresent(join(placesOf("codex", "user", { cwd }).root, "config.toml"));
  const isOfProject = file === placesOf("codex", "project", { cwd }).hooks;
  const folders = [cwd, checkoutRoot(cwd)].flatMap((folder) => (folder === null ? [] : both(folder)));
  if (isOfProject && !folders.some((folder) => isTrusted(config, folder))) return "project";
  const states = both(file).map((path) => `[hooks.state.${JSON.stringify(`${path}:stop:`).slice(0, -1)}`);
  return states.some((head) => config.includes(head)) ? null : "hook";
}

function isTrusted(config: string, folder: string): boolean {
  const [, after = ""] = config.split(`[projects.${JSON.stringify(folder)}]`);
  return /^\s*trust_level\s*=\s*"trusted"/m.test(after.split(/^\[/m)[0] ?? "");
}

/** A path as given, and with symlinks resolved. */
const both = (path: string): string[] => [path, realPathOf(path) ?? path];
