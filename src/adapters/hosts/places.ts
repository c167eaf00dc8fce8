import { join } from "node:path";
import type { KnownHost } from "../../core/host.ts";
import { environment, homeFolder } from "../io/environment.ts";
import type { Ground, Scope } from "./host.ts";

/** The files of an installation, in a host's folder. */
interface HostFiles {
  /** The file with its hooks; null if it has a plugin instead. */
  hooks: string | null;
  plugin: string | null;
  commands: string | null;
  /** The folder of a skill that replaces slash commands. */
  skill: string | null;
}

interface HostFolder extends HostFiles {
  project: string;
  /** The folder in `variable` or else in this one in the user's home folder; `below`: a folder in either. */
  user: { variable: string; home: string; below: string };
}

const FOLDERS: Readonly<Record<KnownHost, HostFolder>> = {
  claude: {
    project: ".claude",
    user: { variable: "CLAUDE_CONFIG_DIR", home: ".claude", below: "" },
    hooks: "settings.json",
    plugin: null,
    commands: "commands",
    skill: null,
  },
  codex: {
    project: ".codex",
    user: { variable: "CODEX_HOME", home: ".codex", below: "" },
    hooks: "hooks.json",
    plugin: null,
    commands: null,
    skill: join("skills", "ralph"),
  },
  opencode: {
    project: ".opencode",
    user: { variable: "XDG_CONFIG_HOME", home: ".config", below: "opencode" },
    hooks: null,
    plugin: join("plugin", "ralph.js"),
    commands: "command",
    skill: null,
  },
};

/** Where a host looks for the files of an installation. */
export interface HostPlaces extends HostFiles {
  host: KnownHost;
  scope: Scope;
  root: string;
}

export function placesOf(host: KnownHost, scope: Scope, { cwd, env = environment() }: Ground): HostPlaces {
  const { project, user, hooks, plugin, commands, skill } = FOLDERS[host];
  const root =
    scope === "user" ? join(env[user.variable] || join(homeFolder(), user.home), user.below) : join(cwd, project);
  const inRoot = (name: string | null): string | null => (name === null ? null : join(root, name));
  const files = { hooks: inRoot(hooks), plugin: inRoot(plugin), commands: inRoot(commands), skill: inRoot(skill) };
  return { host, scope, root, ...files };
}

/** The places of a host for users: the files in a project, then the user's folder. */
export function placesText(host: KnownHost): string {
  const { project, user, hooks, plugin, commands, skill } = FOLDERS[host];
  const files = [hooks, plugin].flatMap((name) => (name === null ? [] : [join(project, name)]));
  const folders = [commands, skill].flatMap((name) => (name === null ? [] : [`${join(project, name)}/`]));
  return `${[...files, ...folders].join(", ")}  |  ${join("~", user.home, user.below)} or $${join(user.variable, user.below)}`;
}
