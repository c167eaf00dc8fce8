import { join } from "node:path";
import type { KnownHost } from "../../../core/host.ts";
import { environment, homeFolder } from "../../io/environment.ts";

/** Whom an installation is for: everybody who works on a project, or one person in all projects. */
export const SCOPES = ["project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

/** Where a host looks for what is installed for a scope. */
export interface HostPlaces {
  host: KnownHost;
  scope: Scope;
  /** The file with its hooks; null: it has a plugin instead. */
  hooks: string | null;
  plugin: string | null;
  /** The folder of its slash commands. */
  commands: string | null;
  /** The folder of the skill that stands for one. */
  skill: string | null;
}

interface Ground {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** The places of a host. */
export function placesOf(host: KnownHost, scope: Scope, { cwd, env = environment() }: Ground): HostPlaces {
  const home = homeFolder();
  const nowhere = { host, scope, hooks: null, plugin: null, commands: null, skill: null };
  const user = scope === "user";
  if (host === "claude") {
    const root = user ? env.CLAUDE_CONFIG_DIR || join(home, ".claude") : join(cwd, ".claude");
    return { ...nowhere, hooks: join(root, "settings.json"), commands: join(root, "commands") };
  }
  if (host === "codex") {
    const root = user ? env.CODEX_HOME || join(home, ".codex") : join(cwd, ".codex");
    return { ...nowhere, hooks: join(root, "hooks.json"), skill: join(root, "skills", "ralph") };
  }
  const root = user ? join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode") : join(cwd, ".opencode");
  return { ...nowhere, plugin: join(root, "plugin", "ralph.js"), commands: join(root, "command") };
}
