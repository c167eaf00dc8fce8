import type { Host } from "../host.ts";

/** Codex: hooks in its own file, a skill instead of slash commands, rollouts. */
export const codexHost: Host = {
  opensSessions: false,
  reportsCost: false,
  toolSession: ({ CODEX_TOOL_CALL_ID, CODEX_THREAD_ID: id }) => (id && CODEX_TOOL_CALL_ID ? id : null),
  dialect: async () => (await import("./dialect.ts")).codexDialect,
  installation: async () => (await import("./installation.ts")).codexInstallation,
};
