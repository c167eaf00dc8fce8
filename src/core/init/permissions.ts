/** The mildest flag of each known agent that lets it work unattended; opencode needs none. */
const PERMISSIONS: Readonly<Record<string, { flag: string; means: string }>> = {
  claude: {
    flag: "--permission-mode acceptEdits",
    means: "its edits are accepted; commands stay refused unless claude's own settings allow them",
  },
  codex: {
    flag: "-s workspace-write",
    means: "it may write in this folder and run commands, in codex's own sandbox",
  },
  amp: {
    flag: "--dangerously-allow-all",
    means: "amp has no milder flag, and this one allows every command: only in a sandbox",
  },
  gemini: {
    flag: "--approval-mode auto_edit",
    means: "its edits are accepted; shell commands stay refused",
  },
  qwen: {
    flag: "--approval-mode auto-edit",
    means: "its edits are accepted; shell commands stay refused",
  },
};

/** The flag that lets this agent edit files without asking; null if none is needed or known. */
export const editPermissionOf = (command: string): (typeof PERMISSIONS)[string] | null =>
  PERMISSIONS[command.slice(command.lastIndexOf("/") + 1)] ?? null;
