import { knownKinds } from "../../src/adapters/agents/agent.ts";
import type { AgentKind } from "../../src/adapters/agents/kind.ts";

/** Every known agent. */
export const KINDS: readonly AgentKind[] = await knownKinds();

/** The agent of a recorded run, named `<cli>/<run>`. */
export function kindOf(run: string): AgentKind {
  const kind = KINDS.find(({ name }) => run.startsWith(`${name}/`));
  if (!kind) throw new Error(`no agent prints ${run}`);
  return kind;
}
