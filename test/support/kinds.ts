import { amp } from "../../src/adapters/agents/amp.ts";
import { claude } from "../../src/adapters/agents/claude.ts";
import { codex } from "../../src/adapters/agents/codex.ts";
import { gemini } from "../../src/adapters/agents/gemini.ts";
import type { AgentKind } from "../../src/adapters/agents/kind.ts";
import { opencode } from "../../src/adapters/agents/opencode.ts";
import { qwen } from "../../src/adapters/agents/qwen.ts";

/** Every known agent. */
export const KINDS: readonly AgentKind[] = [claude, codex, amp, gemini, opencode, qwen];

/** The agent of a recorded run, named `<cli>/<run>`. */
export function kindOf(run: string): AgentKind {
  const kind = KINDS.find(({ name }) => run.startsWith(`${name}/`));
  if (!kind) throw new Error(`no agent prints ${run}`);
  return kind;
}
