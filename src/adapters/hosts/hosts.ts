import { basename } from "node:path";
import type { HostSession, KnownHost } from "../../core/host.ts";
import { environment } from "../io/environment.ts";
import type { Host } from "./host.ts";
import { OPENCODE_SESSION } from "./opencode/plugin-file.ts";

/** Every host. A new one is a folder beside these, a name in `core/host.ts` and an entry here. */
export const HOSTS: Readonly<Record<KnownHost, Host>> = {
  claude: {
    agent: "claude",
    opensSessions: false,
    reportsCost: false,
    toolSession: ({ AI_AGENT = "", CLAUDE_CODE_SESSION_ID: id }) =>
      id && /^claude-code.*_agent$/.test(AI_AGENT) ? id : null,
    dialect: async () => (await import("./claude/dialect.ts")).claudeDialect,
    installation: async () => (await import("./claude/installation.ts")).claudeInstallation,
  },
  codex: {
    agent: "codex",
    opensSessions: false,
    reportsCost: false,
    toolSession: ({ CODEX_TOOL_CALL_ID, CODEX_THREAD_ID: id }) => (id && CODEX_TOOL_CALL_ID ? id : null),
    dialect: async () => (await import("./codex/dialect.ts")).codexDialect,
    installation: async () => (await import("./codex/installation.ts")).codexInstallation,
  },
  opencode: {
    agent: "opencode",
    opensSessions: true,
    reportsCost: true,
    toolSession: (env) => env[OPENCODE_SESSION] || null,
    dialect: async () => (await import("./opencode/dialect.ts")).opencodeDialect,
    installation: async () => (await import("./opencode/installation.ts")).opencodeInstallation,
  },
};

/** A host by its name; null for a program that uses the library, or an unknown name. */
export const hostNamed = (name: string): Host | null => new Map<string, Host>(Object.entries(HOSTS)).get(name) ?? null;

/** Whether an agent's command starts the program of this host. */
export function isAgentOf(host: string, command: string): boolean {
  const known = hostNamed(host);
  return known ? basename(command) === known.agent : command === host;
}

/** The session whose agent runs this process as a tool, or null. Hosts mark tools unlike other child processes. */
export function toolSession(env = environment()): Pick<HostSession, "host" | "id"> | null {
  for (const [host, { toolSession }] of Object.entries(HOSTS)) {
    const id = toolSession(env);
    if (id !== null) return { host, id };
  }
  return null;
}
