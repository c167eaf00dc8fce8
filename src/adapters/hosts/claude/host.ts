import type { Host } from "../host.ts";

/** Claude Code: hooks in its settings, slash commands, transcripts. */
export const claudeHost: Host = {
  opensSessions: false,
  reportsCost: false,
  toolSession: ({ AI_AGENT = "", CLAUDE_CODE_SESSION_ID: id }) =>
    id && /^claude-code.*_agent$/.test(AI_AGENT) ? id : null,
  dialect: async () => (await import("./dialect.ts")).claudeDialect,
  installation: async () => (await import("./installation.ts")).claudeInstallation,
};
