import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { environment } from "../../io/environment.ts";
import { placesOf } from "./places.ts";
import { glance } from "./seen.ts";

/** How often in a row Claude Code lets a hook keep it from stopping, where nobody has said otherwise. */
const DEFAULT_CAP = 8;
export const CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
const PLUGIN = /^ralph@/;

/** Of Claude Code's settings, what matters to a loop in its sessions. */
export interface ClaudeFacts {
  /** How many turns in a row without a tool call it goes on; null: without end. */
  cap: number | null;
  /** Where that was said; null: nowhere. */
  capFrom: string | null;
  /** Whether our plugin is switched on. */
  hasPlugin: boolean;
  /** The file that switches all hooks off; null: none does. */
  hooksOffIn: string | null;
}

/** Reads the settings as Claude Code does: those of one person for one project win, the environment comes last. */
export function claudeFacts(cwd: string, env: NodeJS.ProcessEnv = environment()): ClaudeFacts {
  const project = placesOf("claude", "project", { cwd, env }).hooks ?? "";
  const user = placesOf("claude", "user", { cwd, env }).hooks ?? "";
  const files = [join(dirname(project), "settings.local.json"), project, user];
  const settings = files.map((path) => ({ from: path, ...settingsAt(path) }));
  const said = [...settings, { from: "the environment", env: env as Record<string, unknown>, enabledPlugins: {} }].find(
    (one) => one.env[CAP_VARIABLE] !== undefined,
  );
  const number = Number(said?.env[CAP_VARIABLE] ?? DEFAULT_CAP);
  const plugins = Object.assign({}, ...settings.map((one) => one.enabledPlugins).reverse());
  return {
    cap: number > 0 ? number : null,
    capFrom: said?.from ?? null,
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
    const { env, enabledPlugins, disableAllHooks } = Object(parse(glance(path)));
    return { env: Object(env), enabledPlugins: Object(enabledPlugins), disableAllHooks };
  } catch {
    return { env: {}, enabledPlugins: {}, disableAllHooks: undefined };
  }
}
