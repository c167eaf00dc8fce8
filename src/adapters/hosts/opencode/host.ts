import type { Host } from "../host.ts";
import { OPENCODE_SESSION } from "./plugin-file.ts";

/** OpenCode: a plugin of Ralph's own inside the host, slash commands. */
export const opencodeHost: Host = {
  opensSessions: true,
  reportsCost: true,
  toolSession: (env) => env[OPENCODE_SESSION] || null,
  dialect: async () => (await import("./dialect.ts")).opencodeDialect,
  installation: async () => (await import("./installation.ts")).opencodeInstallation,
};
