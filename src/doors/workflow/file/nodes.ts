import { NODE_KINDS, type WrittenNode, type WrittenNodeLoop } from "../../../core/schema/workflow-node.ts";
import type { BashPart, LoopPart, Part, StepPart } from "../../../core/workflow/workflow.ts";
import { chainOf, type PlacedNode } from "./chain.ts";
import { keyFault, valueFault } from "./fault.ts";
import { uniqueNames } from "./names.ts";
import { agentOf, inlinePrompt, loopFields, type Reading, readPromptSource, retryOf, toolsOf } from "./part.ts";

/** Archon's nodes as parts, in the order of their dependencies. Faults are added to the reading. */
export function nodeParts(nodes: readonly WrittenNode[], reading: Reading): Part[] {
  const { chain, faults } = chainOf(nodes);
  reading.faults.push(...faults, ...alikeIds(nodes));
  // Every node is checked, even if they form no chain.
  const inOrder = chain.length > 0 ? chain : nodes.map((node, at) => ({ node, at }));
  return inOrder.flatMap((placed) => partOf(placed, reading) ?? []);
}

/** Ids with the same environment variable. */
function alikeIds(nodes: readonly WrittenNode[]) {
  const ids = nodes.map(({ id }) => id);
  return uniqueNames(ids.map((given) => ({ given, otherwise: given })))
    .repeated.filter((i) => ids.findIndex((id) => id.toLowerCase() === ids[i]?.toLowerCase()) === i)
    .map((i) => valueFault(["nodes", i, "id"], "differs from another id only in - and _", "use another id"));
}

/** Keys for agents, which some kinds of nodes do not accept. */
const AGENT_KEYS = ["provider", "model", "allowed_tools", "denied_tools", "context", "idle_timeout"] as const;
const MISPLACED = {
  prompt: ["timeout"],
  command: ["timeout"],
  bash: AGENT_KEYS,
  loop: ["timeout", "retry"],
} as const;

function partOf({ node, at }: PlacedNode, reading: Reading): Part | null {
  const path = ["nodes", at];
  const kinds = NODE_KINDS.filter((kind) => node[kind] !== undefined);
  const [kind, other] = kinds;
  if (!kind || other) {
    const what = `expected one of ${NODE_KINDS.join(", ")}, got ${other ? kinds.join(" and ") : "none of them"}`;
    reading.faults.push(valueFault(path, what, "a node does one thing: split it in two, or add the missing key"));
    return null;
  }
  for (const key of MISPLACED[kind]) {
    if (node[key] === undefined) continue;
    reading.faults.push(keyFault([...path, key], `has no meaning for a ${kind} node`, "remove it"));
  }
  if (node.bash !== undefined) return bashOf(node, node.bash);
  return node.loop ? nodeLoop(node, node.loop, { path, reading }) : stepOf(node, path, reading);
}

const bashOf = (node: WrittenNode, command: string): BashPart => ({
  kind: "bash",
  name: node.id,
  command,
  timeoutS: secondsOf(node.timeout),
  retry: retryOf(node.retry),
});

const secondsOf = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1_000);

function stepOf(node: WrittenNode, path: readonly PropertyKey[], reading: Reading): StepPart | null {
  const prompt = readPromptSource(node, path, reading);
  if (!prompt) return null;
  return {
    kind: "step",
    name: node.id,
    prompt,
    fresh: node.context === "fresh",
    ...agentOf(node),
    tools: toolsOf(node),
    idleTimeoutS: secondsOf(node.idle_timeout),
    retry: retryOf(node.retry),
  };
}

function nodeLoop(
  node: WrittenNode,
  loop: WrittenNodeLoop,
  { path, reading }: { path: readonly PropertyKey[]; reading: Reading },
): LoopPart {
  if (loop.until === undefined && loop.until_bash === undefined) {
    const what = "missing, expected until (a signal) or until_bash (a command)";
    reading.faults.push(valueFault([...path, "loop", "until"], what, "add `until: COMPLETE`"));
  }
  if (node.context === "shared") {
    const what = "a loop always starts in a new session";
    reading.faults.push(valueFault([...path, "context"], what, "remove it"));
  }
  return {
    kind: "loop",
    name: node.id,
    prompt: inlinePrompt(loop.prompt),
    ...agentOf(node),
    tools: toolsOf(node),
    idleTimeoutS: secondsOf(node.idle_timeout),
    ...loopFields(loop),
  };
}
