import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { environment } from "../../io/environment.ts";
import type { HostInstallation } from "../host.ts";
import { readIfPresent } from "../install-files/found-file.ts";
import { EXAMPLE, PROJECT_PROGRAM } from "../install-files/hook-line.ts";
import { placesOf } from "../places.ts";
import { CAP_VARIABLE, DEFAULT_CAP } from "./dialect.ts";

const ARGUMENT_HINT =
  '"<task> [--verify <command>] [--max-iterations <n>] [--completion-promise <text>] [--max-cost <usd>] [--timeout <time>] [--resume <loop>]"';

export const claudeInstallation: HostInstallation = {
  host: "claude",
  // Only users may run the commands; otherwise Claude Code offers them to its model.
  commandHead: (command) => [
    ...(command === "ralph" ? [`argument-hint: ${ARGUMENT_HINT}`] : []),
    "disable-model-invocation: true",
  ],
  dependencyLine: `node "$CLAUDE_PROJECT_DIR/${PROJECT_PROGRAM}" hook event claude`,
  plugin: null,
  nextSteps(scope) {
    const where = scope === "project" ? " in this folder (the hooks do not apply below it; " : " (";
    return [`Start a new Claude Code session${where}open sessions keep their hooks) and type: /${EXAMPLE}`];
  },
  unusedBelow: ({ file }) =>
    `${file} does not apply here: Claude Code uses the hooks of the folder it is started in. Start it in ${dirname(dirname(file))}, or install Ralph here or with --user: ralph hook install claude`,
  hasOwnPlugin: (cwd) => claudeFacts(cwd).hasPlugin,
  doubt(_installed, cwd) {
    const { hooksOffIn, hasPlugin } = claudeFacts(cwd);
    if (hooksOffIn !== null) return { is: "problem", hint: `disableAllHooks in ${hooksOffIn} disables it` };
    if (!hasPlugin) return null;
    const hint = "the plugin is enabled as well: harmless, but every event starts two programs; one is enough";
    return { is: "warning", hint };
  },
  limits(cwd) {
    const { cap, capFrom } = claudeFacts(cwd);
    const name = "claude cap";
    const from = capFrom === null ? "its own limit" : `${CAP_VARIABLE} in ${capFrom}`;
    if (cap === null) return [{ name, is: "ok", says: `Claude Code continues for as long as a loop does (${from})` }];
    return [
      {
        name,
        is: "ok",
        says: `Claude Code ends a turn after continuing ${cap} times in a row without a tool call (${from}): a loop that would need one more stops as interrupted`,
        hint: `to raise it: "env": { "${CAP_VARIABLE}": "100" } in .claude/settings.json, or "0" for no limit; \`ralph resume\` continues the loop`,
      },
    ];
  },
};

const PLUGIN = /^ralph@/;

/** Reads the settings as Claude Code does: the user's settings for the project win, the environment comes last. */
function claudeFacts(cwd: string) {
  const env: NodeJS.ProcessEnv = environment();
  const project = placesOf("claude", "project", { cwd, env });
  const user = placesOf("claude", "user", { cwd, env });
  const files = [join(project.root, "settings.local.json"), project.hooks, user.hooks];
  const settings = files.filter((path) => path !== null).map((path) => ({ from: path, ...settingsAt(path) }));
  const set = [...settings, { from: "the environment", env: env as Record<string, unknown>, enabledPlugins: {} }].find(
    (one) => one.env[CAP_VARIABLE] !== undefined,
  );
  const number = Number(set?.env[CAP_VARIABLE] ?? DEFAULT_CAP);
  const plugins = Object.assign({}, ...settings.map((one) => one.enabledPlugins).reverse());
  return {
    /** How often in a row it continues without a tool call; null means no limit. */
    cap: number > 0 ? number : null,
    capFrom: set?.from ?? null,
    hasPlugin: Object.entries(plugins).some(([name, on]) => PLUGIN.test(name) && on === true),
    hooksOffIn: settings.find((one) => one.disableAllHooks === true)?.from ?? null,
  };
}

type Settings = Record<"env" | "enabledPlugins", Record<string, unknown>> & { disableAllHooks: unknown };

function settingsAt(path: string): Settings {
  try {
    const { env, enabledPlugins, disableAllHooks } = Object(parse(readIfPresent(path)));
    return { env: Object(env), enabledPlugins: Object(enabledPlugins), disableAllHooks };
  } catch {
    return { env: {}, enabledPlugins: {}, disableAllHooks: undefined };
  }
}
