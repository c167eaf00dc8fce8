import type { HostSession, KnownHost } from "../../core/host.ts";
import { environment } from "../io/environment.ts";
import { claudeHost } from "./claude/host.ts";
import { codexHost } from "./codex/host.ts";
import type { Host } from "./host.ts";
import { opencodeHost } from "./opencode/host.ts";

/** Every host. A new one is a folder beside these, a name in `core/host.ts` and a line here. */
export const HOSTS: Readonly<Record<KnownHost, Host>> = {
  claude: claudeHost,
  codex: codexHost,
  opencode: opencodeHost,
};

/** A host by its name; null: a program that uses the library, or a name that does not exist. */
export const hostNamed = (name: string): Host | null => new Map<string, Host>(Object.entries(HOSTS)).get(name) ?? null;

/**
 * The session whose agent runs this process as a tool, according to the environment: hosts mark the tools of their
 * agents differently from their own child processes. Null if this process is not a tool or that is unknown.
 */
export function toolSession(env = environment()): Pick<HostSession, "host" | "id"> | null {
  for (const [host, { toolSession }] of Object.entries(HOSTS)) {
    const id = toolSession(env);
    if (id !== null) return { host, id };
  }
  return null;
}
