import type { HostSession } from "../../core/host.ts";
import { environment } from "./environment.ts";

/**
 * Set by Ralph's plugin for the tools that OpenCode's agents run. OpenCode's own mark is on everything it starts,
 * including Ralph.
 */
export const OPENCODE_SESSION = "RALPH_OPENCODE_SESSION";

/**
 * The session whose agent runs this process as a tool, according to the environment: hosts mark the tools of their
 * agents differently from their own child processes. Null if this process is not a tool or that is unknown.
 */
export function toolSession(env = environment()): Pick<HostSession, "host" | "id"> | null {
  const { AI_AGENT = "", CLAUDE_CODE_SESSION_ID: claude, CODEX_TOOL_CALL_ID, CODEX_THREAD_ID: codex } = env;
  if (claude && /^claude-code.*_agent$/.test(AI_AGENT)) return { host: "claude", id: claude };
  if (codex && CODEX_TOOL_CALL_ID) return { host: "codex", id: codex };
  const opencode = env[OPENCODE_SESSION];
  return opencode ? { host: "opencode", id: opencode } : null;
}
