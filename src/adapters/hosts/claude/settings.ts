import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { environment, homeFolder } from "../../io/environment.ts";
import type { Ground, HostPlaces, Scope } from "../host.ts";
import { readIfPresent } from "../install/found-file.ts";
import { CAP_VARIABLE, DEFAULT_CAP } from "./dialect.ts";

const PLUGIN = /^ralph@/;

/** Where Claude Code looks for hooks and commands. */
export function claudePlaces(scope: Scope, { cwd, env = environment() }: Ground): HostPlaces & { hooks: string } {
  const root = scope === "user" ? env.CLAUDE_CONFIG_DIR || join(homeFolder(), ".claude") : join(cwd, ".claude");
  const [hooks, commands] = [join(root, "settings.json"), join(root, "commands")];
  return { host: "claude", scope, hooks, plugin: null, commands, skill: null };
}

/** The settings of Claude Code that matter to a loop in its sessions. */
export interface ClaudeFacts {
  /** How often in a row it continues without a tool call; null: without a limit. */
  cap: number | null;
  /** Where that is set; null: nowhere. */
  capFrom: string | null;
  /** Whether Ralph's plugin is switched on. */
  hasPlugin: boolean;
  /** The file that switches all hooks off; null: none does. */
  hooksOffIn: string | null;
}

/** Reads the settings as Claude Code does: those of one user for one project win, the environment comes last. */
export function claudeFacts(cwd: string, env: NodeJS.ProcessEnv = environment()): ClaudeFacts {
  const { hooks: project } = claudePlaces("project", { cwd, env });
  const { hooks: user } = claudePlaces("user", { cwd, env });
  const files = [join(dirname(project), "settings.local.json"), project, user];
  const settings = files.map((path) => ({ from: path, ...settingsAt(path) }));
  const set = [...settings, { from: "the environment", env: env as Record<string, unknown>, enabledPlugins: {} }].find(
    (one) => one.env[CAP_VARIABLE] !== undefined,
  );
  const number = Number(set?.env[CAP_VARIABLE] ?? DEFAULT_CAP);
  const plugins = Object.assign({}, ...settings.map((one) => one.enabledPlugins).reverse());
  return {
    cap: number > 0 ? number : null,
    capFrom: set?.from ?? null,
    hasPlugin: Object.entries(plugins).some(([name, on]) => PLUGIN.test(name) && on === true),
    hooksOffIn: settings.find((one) => one.disableAllHooks === true)?.from ?? null,
  };
}

interface Read {
  env: Record<string, unknown>;
  enabledPlugins: Record<string, unknown>;
  disableAllHooks: unknown;
}

function settingsAt(path: string): Read {
  try {
    const { env, enabledPlugins, disableAllHooks } = Object(parse(readIfPresent(path)));
    return { env: Object(env), enabledPlugins: Object(enabledPlugins), disableAllHooks };
  } catch {
    return { env: {}, enabledPlugins: {}, disableAllHooks: undefined };
  }
}
