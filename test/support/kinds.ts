import { amp } from "../../src/agents/amp.ts";
import { claude } from "../../src/agents/claude.ts";
import { codex } from "../../src/agents/codex.ts";
import { gemini } from "../../src/agents/gemini.ts";
import type { AgentKind } from "../../src/agents/kind.ts";
import { opencode } from "../../src/agents/opencode.ts";
import { qwen } from "../../src/agents/qwen.ts";

/** Every known agent. */
export const KINDS: readonly AgentKind[] = [claude, codex, amp, gemini, opencode, qwen];

/** The agent of a recorded run, named `<cli>/<run>`. */
export function kindOf(run: string): AgentKind {
  const kind = KINDS.find(({ name }) => run.startsWith(`${name}/`));
  if (!kind) throw new Error(`no agent prints ${run}`);
  return kind;
}
