import type { HostDialect } from "../../core/host.ts";

/** Every host that can start our program, and what loads the way it talks: only one of them is needed at a time. */
const DIALECTS: Readonly<Record<string, () => Promise<HostDialect>>> = {
  claude: async () => (await import("./claude.ts")).claudeHost,
  codex: async () => (await import("./codex.ts")).codexHost,
  opencode: async () => (await import("./opencode.ts")).opencodeHost,
};

export const dialectNames: readonly string[] = Object.keys(DIALECTS);

/** Loads a host's dialect; null: there is no such host. */
export const dialectOf = async (host: string): Promise<HostDialect | null> =>
  Object.hasOwn(DIALECTS, host) ? ((await DIALECTS[host]?.()) ?? null) : null;
