import { isMap } from "../../../core/field.ts";
import { LOOP_KEYS } from "../../../core/schema/workflow.ts";
import { keyFault, type ReadFault } from "./fault.ts";

/** A known key that is not allowed here: why, and what to do instead. */
interface Foreign {
  text: string;
  hint: string;
}
type Foreigners = Readonly<Record<string, Foreign>>;

const all = (keys: string, of: (key: string) => Foreign): Foreigners =>
  Object.fromEntries(keys.split(" ").map((key) => [key, of(key)]));

const SUPPORTED = "Ralph runs chains of prompt, command, bash and loop nodes";
const NO_COMMAND: Foreign = {
  text: "a loop cannot use a command file",
  hint: "put the text itself into the file, as `prompt: |`",
};
const NOT_HERE = (what: string): Foreign => ({
  text: `not supported: ${SUPPORTED}`,
  hint: `remove it, or do without ${what}`,
});

const NODE_KIND = (kind: string): Foreign => ({
  text: `${kind} nodes are not supported: ${SUPPORTED}`,
  hint: "write it as one of those, or leave this workflow to Archon",
});

/** Keys of Archon's nodes that would change what the node does. */
const NODE: Foreigners = {
  ...all("script loop_group approval wait cancel include workflow", NODE_KIND),
  ...all("when trigger_rule", () => ({
    text: `not supported: ${SUPPORTED}, each after the one before it`,
    hint: "remove it: a node runs once the one before it is done, and a failure ends the run",
  })),
  ...all(
    "output_format output_type hooks mcp skills agents pi effort thinking maxBudgetUsd systemPrompt fallbackModel betas sandbox always_run persist_session with fan_out on_timeout mutates_checkout runtime deps input isolation",
    NOT_HERE,
  ),
};

const LOOP: Foreigners = {
  command: NO_COMMAND,
  step: NO_COMMAND,
  until_field: { text: "not supported: a loop ends by until or until_bash", hint: "write `until: COMPLETE`" },
  ...all("interactive gate_message signal_completes", () => ({
    text: "not supported: Ralph does not ask the user between iterations",
    hint: "remove it; `ralph cancel` stops a loop",
  })),
};

const OWN_LOOP: Foreigners = {
  ...LOOP,
  prompt: { text: "belongs next to loop, not inside it", hint: "move it to the left margin, as `prompt: |`" },
};

const STEP: Foreigners = {
  ...all("bash loop", (key) => ({
    text: `steps are commands, prompts or parallel: ${key} is a kind of nodes`,
    hint: "write the workflow as `nodes:`, or let the agent do it",
  })),
  ...all("id depends_on context", (key) => ({
    text: `${key} belongs to nodes: steps run in the order of the file`,
    hint: key === "id" ? "write `name:`" : key === "context" ? "write `clearContext: true`" : "remove it",
  })),
  ...NODE,
};

const NESTED: Foreigners = {
  ...STEP,
  ...all("clearContext clear_context", () => ({
    text: "parallel steps always start in a new session",
    hint: "remove it",
  })),
  parallel: { text: "parallel steps cannot be nested", hint: "move its steps next to the others" },
};

const TOP: Foreigners = {
  ...all("command step", () => NO_COMMAND),
  ...all(LOOP_KEYS.join(" "), () => ({ text: "belongs inside loop", hint: "move it below `loop:`" })),
  ...all("allowed_tools denied_tools idle_timeout retry", () => ({
    text: "belongs to a step, a node or a loop, not to the whole workflow",
    hint: "move it there",
  })),
  ...all(
    "modelReasoningEffort webSearchMode interactive effort thinking fallbackModel betas sandbox worktree container evidence_policy budget mutates_checkout persist_sessions requires inputs returns outcome_field deprecated",
    (key) => ({ text: "a key of Archon that Ralph does not support", hint: `remove it, or do without ${key}` }),
  ),
};

type Raw = Readonly<Record<string, unknown>>;

/** Removes keys that are not allowed where they are, and returns a fault for each of them. */
export function withoutForeign(value: Raw): { value: Raw; faults: ReadFault[] } {
  const faults: ReadFault[] = [];
  const strip = (given: Raw, path: readonly PropertyKey[], foreign: Foreigners): Record<string, unknown> => {
    const entries = Object.entries(given).filter(([key]) => {
      const known = Object.hasOwn(foreign, key) ? foreign[key] : undefined;
      if (known) faults.push(keyFault([...path, key], known.text, known.hint));
      return !known;
    });
    return Object.fromEntries(entries);
  };
  const top = strip(value, [], TOP);
  change(top, "loop", (loop) => strip(loop, ["loop"], OWN_LOOP));
  changeItems(top, "steps", (step, i) => {
    const own = strip(step, ["steps", i], STEP);
    changeItems(own, "parallel", (one, j) => strip(one, ["steps", i, "parallel", j], NESTED));
    return own;
  });
  changeItems(top, "nodes", (node, i) => {
    const own = strip(node, ["nodes", i], NODE);
    change(own, "loop", (loop) => strip(loop, ["nodes", i, "loop"], LOOP));
    return own;
  });
  return { value: top, faults };
}

/** Changes the map under a key; a value that is not a map stays, and is reported by the schema. */
function change(map: Record<string, unknown>, key: string, to: (value: Raw) => unknown): void {
  const value = map[key];
  if (isMap(value)) map[key] = to(value);
}

function changeItems(map: Record<string, unknown>, key: string, to: (item: Raw, i: number) => unknown): void {
  const items = map[key];
  if (Array.isArray(items)) map[key] = items.map((item: unknown, i) => (isMap(item) ? to(item, i) : item));
}
