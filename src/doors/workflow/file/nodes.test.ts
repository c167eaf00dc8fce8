import { expect, test } from "vitest";
import { readWorkflow } from "./read.ts";

const read = (nodes: unknown[], more: object = {}) =>
  readWorkflow(
    { name: "w", description: "d", nodes, ...more },
    { file: "w.yaml", command: (name) => ({ text: `Text of ${name}` }) },
  );
const faultsOf = (nodes: unknown[], more?: object) => (read(nodes, more).faults ?? []).map(({ text }) => text);

test("a chain of nodes in any order of the file", () => {
  const { workflow } = read([
    { id: "check", bash: "npm test", depends_on: ["implement"], timeout: 5000, retry: { max_attempts: 2 } },
    {
      id: "implement",
      depends_on: ["plan", "research"],
      loop: { prompt: "do", until_bash: "npm test", max_iterations: 3, fresh_context: true },
      model: "opus",
    },
    {
      id: "plan",
      depends_on: ["research"],
      command: "plan",
      context: "fresh",
      idle_timeout: 60_000,
      provider: "codex",
    },
    { id: "research", prompt: "look", description: "first", allowed_tools: ["Read"] },
  ]);
  expect(workflow).toMatchObject({
    form: "nodes",
    parts: [
      { kind: "step", name: "research", prompt: { text: "look" }, fresh: false, tools: { allowed: ["Read"] } },
      {
        kind: "step",
        name: "plan",
        prompt: { text: "Text of plan", command: "plan" },
        fresh: true,
        idleTimeoutS: 60,
        provider: "codex",
      },
      { kind: "loop", name: "implement", until: null, untilBash: "npm test", maxIterations: 3, model: "opus" },
      { kind: "bash", name: "check", command: "npm test", timeoutS: 5, retry: { attempts: 2, delayMs: 3000 } },
    ],
  });
});

const a = { id: "a", prompt: "x" };
const b = { id: "b", prompt: "x", depends_on: ["a"] };
test.each<[string, unknown[], RegExp]>([
  ["several roots", [a, { id: "b", prompt: "x" }], /^nodes\[1\]\.id: a and b both follow no node: several start nodes/],
  ["a fork", [a, b, { ...b, id: "c" }], /^nodes\[2\]\.depends_on: b and c both follow a: branches are not supported/],
  ["a join", [a, { id: "b", prompt: "x" }, { id: "c", prompt: "x", depends_on: ["a", "b"] }], /both follow no node/],
  ["a circle", [a, { ...b, depends_on: ["c"] }, { ...b, id: "c", depends_on: ["b"] }], /^nodes\[1\].*: b, c depend/],
  ["a node that depends on itself", [{ ...b, depends_on: ["b"] }], /^nodes\[0\]\.depends_on: b depend/],
  ["an unknown id", [a, { ...b, depends_on: ["z"] }], /^nodes\[1\]\.depends_on\[0\]: there is no node z$/],
  ["a duplicate id", [a, { ...b, id: "A" }], /^nodes\[1\]\.id: nodes\[0\] already has the id A$/],
  [
    "ids that differ only in dashes",
    [
      { ...a, id: "a-b" },
      { ...b, id: "a_b", depends_on: ["a-b"] },
    ],
    /only in - and _$/,
  ],
  ["no kind", [{ id: "a" }], /^nodes\[0\]: expected one of prompt, command, bash, loop, got none of them$/],
  ["two kinds", [{ ...a, bash: "x" }], /got prompt and bash$/],
  ["no id", [{ prompt: "x" }], /^nodes\[0\]\.id: missing, expected a name/],
  ["an id that no prompt can refer to", [{ ...a, id: "1 a" }], /^nodes\[0\]\.id: expected a name of letters/],
  [
    "an agent's key on a command",
    [{ id: "a", bash: "x", model: "y" }],
    /^nodes\[0\]\.model: has no meaning for a bash node$/,
  ],
  [
    "a retry of a loop",
    [{ id: "a", loop: { prompt: "x", until: "X", max_iterations: 1 }, retry: 1 }],
    /^nodes\[0\]\.retry:/,
  ],
  [
    "a loop that never ends",
    [{ id: "a", loop: { prompt: "x", max_iterations: 1 } }],
    /until: missing, expected until \(a signal\)/,
  ],
  ["a loop without prompt", [{ id: "a", loop: { until: "X", max_iterations: 1 } }], /loop\.prompt: missing/],
  [
    "a loop with a command file",
    [{ id: "a", loop: { prompt: "x", command: "y", until: "X", max_iterations: 1 } }],
    /loop\.command: a loop cannot use a command file/,
  ],
  ["a timeout in seconds", [{ ...a, idle_timeout: 300 }], /^nodes\[0\]\.idle_timeout: expected milliseconds/],
  [
    "an output in a command",
    [a, { id: "b", bash: "echo $a.output", depends_on: ["a"] }],
    /^nodes\[1\]\.bash: \$a\.output is not/,
  ],
  [
    "retry only on transient failures",
    [{ ...a, retry: { max_attempts: 1, on_error: "transient" } }],
    /on_error: expected all/,
  ],
])("refused: %s", (_name, nodes, says) => {
  const faults = faultsOf(nodes);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(says);
});

const KINDS = ["script", "loop_group", "approval", "wait", "cancel", "include", "workflow"];
test.each(KINDS)("the kind %s is reported with the supported ones", (kind) => {
  expect(faultsOf([{ id: "a", [kind]: "x" }])).toEqual([
    `nodes[0].${kind}: ${kind} nodes are not supported: Ralph runs chains of prompt, command, bash and loop nodes`,
  ]);
});

const KEYS = ["when", "trigger_rule", "output_format", "hooks", "mcp", "skills", "effort", "persist_session"];
test.each(KEYS)("the key %s is reported", (key) => {
  expect(faultsOf([{ ...a, [key]: "x" }])).toEqual([
    expect.stringMatching(`^nodes\\[0\\]\\.${key}: not supported: Ralph runs`),
  ]);
});

test.each(["until_field", "interactive", "gate_message"])("the key %s of a loop is reported", (key) => {
  const loop = { prompt: "x", until: "X", max_iterations: 1, [key]: "y" };
  expect(faultsOf([{ id: "a", loop }])).toEqual([
    expect.stringMatching(`^nodes\\[0\\]\\.loop\\.${key}: not supported`),
  ]);
});

test("unsupported keys of a workflow are reported, and tags ignored", () => {
  expect(faultsOf([a], { worktree: { enabled: true }, tags: ["x"] })).toEqual([
    "worktree: a key of Archon that Ralph does not support",
  ]);
});
