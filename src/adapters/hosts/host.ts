import type { HostCommand, HostDialect, KnownHost } from "../../core/host.ts";
import type { PluginProgram } from "./opencode/plugin-file.ts";

/** Everything that Ralph knows about a host. `hosts.ts` lists them all. */
export interface Host {
  /** Whether a hook can open a fresh session for every iteration. */
  opensSessions: boolean;
  /** Whether its sessions report their cost, and not only their tokens. */
  reportsCost: boolean;
  /** The session whose agent runs this process as a tool, according to the environment; null: none. */
  toolSession(env: NodeJS.ProcessEnv): string | null;
  /** Loads how it talks to hooks: one event needs only the dialect of its own host. */
  dialect(): Promise<HostDialect>;
  installation(): Promise<HostInstallation>;
}

/** Whom an installation is for: everyone who works on a project, or one user in all projects. */
export const SCOPES = ["project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

/** Where a host looks for what is installed for a scope. */
export interface HostPlaces {
  host: KnownHost;
  scope: Scope;
  /** The file with its hooks; null: it has a plugin instead. */
  hooks: string | null;
  plugin: string | null;
  commands: string | null;
  /** The folder of a skill that replaces slash commands. */
  skill: string | null;
}

export type Ground = { cwd: string; env?: NodeJS.ProcessEnv };

export interface Installed {
  host: KnownHost;
  scope: Scope;
  /** The file that makes the host start Ralph. */
  file: string;
  starts: string;
  /** The events that it reports; empty: those that its plugin asks for. */
  events: readonly string[];
  /** A program of that line that does not exist any more; null: all of them exist. */
  gone: string | null;
  /** Why the host cannot read that file; null: it can. */
  fault: string | null;
  missing: readonly string[];
}

export interface HostInstallation {
  host: KnownHost;
  places(scope: Scope, ground: Ground): HostPlaces;
  /** Lines in the head of a command's file, besides its description. */
  commandHead(command: HostCommand): readonly string[];
  /** The shell line that starts a project's own ralph-engine wherever the project is; null: there is none. */
  dependencyLine: string | null;
  /** The code of its plugin, for a host that loads one instead of running hooks. */
  plugin: PluginCode | null;
  nextSteps(scope: Scope): string[];
  /** Why a project's installation is not used in the folders below it; null: it is. */
  unusedBelow: ((installed: Installed) => string) | null;
  /** Whether Ralph also runs as a plugin that the user switched on in the host itself. */
  hasOwnPlugin(cwd: string): boolean;
  /** Why a complete installation may still not work, or works twice; null: no reason. */
  doubt(installed: readonly Installed[], cwd: string): { is: "problem" | "warning"; hint: string } | null;
  limits(cwd: string): HostLimit[];
}

/** A limit as `ralph doctor` shows it. */
export interface HostLimit {
  name: string;
  is: "ok";
  says: string;
  hint?: string;
}

/** The code of a plugin, by the program that it starts. */
export interface PluginCode {
  /** A program of this machine. */
  machine(program: PluginProgram): string;
  /** The project's own ralph-engine. */
  dependency(): string;
  /** `ralph` on PATH. */
  copied(dist: string): string;
  /** The words of the command that an installed plugin starts. */
  programs(code: string, file: string): string[];
}
