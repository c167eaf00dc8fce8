import type { HostSession } from "../../core/host.ts";
import { environment } from "./environment.ts";

/** How our plugin marks what the agents of OpenCode run: by itself that marks all that it starts, us too. */
export const OPENCODE_SESSION = "RALPH_OPENCODE_SESSION";

/**
 * The session whose agent runs this process as one of its tools, as far as the environment tells: hosts mark what their
 * agents run, and what they run by themselves, in different ways. Null: nobody's tool, or nobody can tell.
 */
export function toolSession(env = environment()): Pick<HostSession, "host" | "id"> | null {
  const { AI_AGENT = "", CLAUDE_CODE_SESSION_ID: claude, CODEX_TOOL_CALL_ID, CODEX_THREAD_ID: codex } = env;
  if (claude && /^claude-code.*_agent$/.test(AI_AGENT)) return { host: "claude", id: claude };
  if (codex && CODEX_TOOL_CALL_ID) return { host: "codex", id: codex };
  const opencode = env[OPENCODE_SESSION];
  return opencode ? { host: "opencode", id: opencode } : null;
}
