import type { HostCommand, HostDialect, KnownHost } from "../../core/host.ts";
import type { PluginProgram } from "./opencode/plugin-file.ts";

/** Everything that Ralph knows about a host. `hosts.ts` lists them all. */
export interface Host {
  /** The program of its agent, which can continue its sessions. */
  agent: string;
  /** Whether a hook can open a fresh session for every iteration. */
  opensSessions: boolean;
  /** Whether its sessions report their cost, and not only their tokens. */
  reportsCost: boolean;
  /** The session whose agent runs this process as a tool, according to the environment, or null. */
  toolSession(env: NodeJS.ProcessEnv): string | null;
  /** Loads its hook protocol: an event needs only that of its own host. */
  dialect(): Promise<HostDialect>;
  installation(): Promise<HostInstallation>;
}

/** Who an installation is for: everyone who works on a project, or one user in all projects. */
export const SCOPES = ["project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

export type Ground = { cwd: string; env?: NodeJS.ProcessEnv };

export interface Installed {
  host: KnownHost;
  scope: Scope;
  /** The file that makes the host start Ralph. */
  file: string;
  starts: string;
  /** The events that it reports; empty for a plugin, which subscribes itself. */
  events: readonly string[];
  /** A program of the command line that no longer exists, or null. */
  gone: string | null;
  /** Why the host cannot read the file, or null. */
  fault: string | null;
  missing: readonly string[];
}

export interface HostInstallation {
  host: KnownHost;
  /** Lines in the header of a command's file, besides its description. */
  commandHead(command: HostCommand): readonly string[];
  /** The shell line that starts a project's own ralph-engine wherever the project is, or null. */
  dependencyLine: string | null;
  /** The code of its plugin, for a host that loads one instead of running hooks. */
  plugin: PluginCode | null;
  nextSteps(scope: Scope): string[];
  /** Why a project's installation has no effect in folders below it; null if it has. */
  unusedBelow: ((installed: Installed) => string) | null;
  /** Whether Ralph also runs as a plugin that the user enabled in the host itself. */
  hasOwnPlugin(cwd: string): boolean;
  /** Why a complete installation may not work or runs twice, or null. */
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

/** The code of a plugin for each kind of program that it starts. */
export interface PluginCode {
  /** A program on this machine. */
  machine(program: PluginProgram): string;
  /** The project's own ralph-engine. */
  dependency(): string;
  /** `ralph` on PATH. */
  copied(dist: string): string;
  /** The words of the command that an installed plugin starts. */
  programs(code: string, file: string): string[];
}
