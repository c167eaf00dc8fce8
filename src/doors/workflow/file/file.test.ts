import { expect, test } from "vitest";
import type { LoopPart } from "../../../core/workflow/workflow.ts";
import { readWorkflowText } from "./file.ts";
import type { CommandText } from "./part.ts";

const command: CommandText = (name) =>
  name === "missing" ? { what: "there is no command file missing.md", hint: "write it" } : { text: `Text of ${name}` };
const read = (source: string) => readWorkflowText(source, { file: "w.yaml", command });

const HEAD = "name: w\ndescription: Does it\n";
const LOOP = "loop:\n  until: COMPLETE\n  max_iterations: 5\n";

function workflowOf(source: string) {
  const result = read(source);
  if (result.faulty) throw new Error(JSON.stringify(result.faulty.faults));
  return result.workflow;
}
const loopOf = (source: string): LoopPart => {
  const [part] = workflowOf(source).parts;
  if (part?.kind !== "loop") throw new Error("no loop");
  return part;
};
/** `line:column text (hint)`, one each. */
function faultsOf(source: string): string[] {
  const { faulty } = read(source);
  return (faulty?.faults ?? []).map(({ line, column, text, hint }) => `${line}:${column} ${text} (${hint})`);
}

test("valid loop config parsing", () => {
  const source = `${HEAD}provider: claude\nmodel: opus\n${LOOP}  fresh_context: true\nprompt: |\n  Do $USER_MESSAGE\n`;
  expect(workflowOf(source)).toEqual({
    name: "w",
    description: "Does it",
    triggers: [],
    provider: "claude",
    model: "opus",
    form: "loop",
    file: "w.yaml",
    parts: [
      {
        kind: "loop",
        name: "loop",
        prompt: { text: "Do $USER_MESSAGE\n", command: null },
        until: "COMPLETE",
        untilBash: null,
        maxIterations: 5,
        freshContext: true,
        verify: null,
        guardrails: [],
        iterationTimeoutS: null,
        maxCostUsd: null,
        provider: null,
        model: null,
        tools: { allowed: null, denied: [] },
        idleTimeoutS: null,
      },
    ],
  });
});

test("loop with max_iterations = 1 (single iteration)", () => {
  expect(loopOf(`${HEAD}loop: { until: X, max_iterations: 1 }\nprompt: x`).maxIterations).toBe(1);
});

test("every key of a loop, in either spelling", () => {
  const loop = loopOf(`${HEAD}prompt: x
loop:
  until: DONE
  maxIterations: 3
  fresh_context: false
  until_bash: npm test
  verify: npm run lint
  guardrails: [npm run build, { command: tsc, failAction: PREPEND, timeout: 5 }]
  iterationTimeout: 60
  max_cost: 2.5
  idle_timeout: 30
  allowed_tools: []
  denied_tools: [Bash]`);
  expect(loop).toMatchObject({
    until: "DONE",
    untilBash: "npm test",
    maxIterations: 3,
    freshContext: false,
    verify: ["npm run lint"],
    guardrails: [{ command: "npm run build" }, { command: "tsc", failAction: "PREPEND", timeout: 5 }],
    iterationTimeoutS: 60,
    maxCostUsd: 2.5,
    idleTimeoutS: 30,
    tools: { allowed: [], denied: ["Bash"] },
  });
});

test.each<[string, string, unknown]>([
  ["a list of commands", "[npm test, npm run lint]", ["npm test", "npm run lint"]],
  ["an empty list, which turns off the checks in the settings", "[]", []],
  [
    "criteria of any method",
    "{ verificationMethod: external, verification_config: { command: npm test } }",
    { verification_method: "external", verification_config: { command: "npm test" } },
  ],
])("verify as %s", (_name, written, verify) => {
  expect(loopOf(`${HEAD}${LOOP}  verify: ${written}\nprompt: x`).verify).toEqual(verify);
});

test("steps with command files and prompts, their names and sessions", () => {
  const { parts, form } = workflowOf(`${HEAD}steps:
  - command: plan
    retry: 2
    allowed_tools: [Read]
    idle_timeout: 60
  - step: plan
    clearContext: true
    retry: { max_attempts: 1, delay_ms: 50 }
  - prompt: Implement $plan.output
    clear_context: true
    provider: codex
    model: gpt
  - parallel:
      - command: 2-review.all
      - prompt: Test it
      - { name: last, prompt: x }
  - { name: end, prompt: y }`);
  expect(form).toBe("steps");
  const none = { attempts: 0, delayMs: 0 };
  expect(parts).toMatchObject([
    {
      kind: "step",
      name: "plan",
      prompt: { text: "Text of plan", command: "plan" },
      fresh: false,
      retry: { attempts: 2, delayMs: 3000 },
      tools: { allowed: ["Read"], denied: [] },
      idleTimeoutS: 60,
    },
    { name: "plan-2", fresh: true, retry: { attempts: 1, delayMs: 50 } },
    {
      name: "step-3",
      prompt: { text: "Implement $plan.output", command: null },
      fresh: true,
      provider: "codex",
      model: "gpt",
    },
    {
      kind: "parallel",
      name: "step-4",
      steps: [
        { name: "review-all", fresh: true, retry: none, prompt: { command: "2-review.all" } },
        { name: "step-4-2", fresh: true },
        { name: "last" },
      ],
    },
    { kind: "step", name: "end", fresh: false },
  ]);
});

test.each<[string, string, string]>([
  [
    "both steps and loop defined",
    `${HEAD}${LOOP}prompt: x\nsteps: [{ command: a }]`,
    "3:1 loop: expected either steps or loop, got both (keep one: steps run once, in their order; a loop repeats one prompt)",
  ],
  [
    "neither steps nor loop",
    HEAD,
    "1:1 expected steps, or loop with prompt, got neither (add `steps:` with a list of commands or prompts, or `loop:` and `prompt:`)",
  ],
  [
    "a prompt without a loop",
    `${HEAD}prompt: x`,
    "1:1 expected steps, or loop with prompt, got neither (add `loop: { until: COMPLETE, max_iterations: 20 }` next to its prompt)",
  ],
  [
    "required prompt for loop workflows",
    `${HEAD}${LOOP}`,
    "1:1 prompt: missing, expected the text that the loop repeats (add `prompt: |` and the text below it)",
  ],
  [
    "empty prompt in loop workflow",
    `${HEAD}${LOOP}prompt: "  "`,
    '6:9 prompt: expected the text that the loop repeats, not empty, got "  " (write it like `prompt: Implement the next story.`)',
  ],
  [
    "a prompt within the loop",
    `${HEAD}${LOOP}  prompt: x`,
    "6:3 loop.prompt: belongs next to loop, not inside it (move it to the left margin, as `prompt: |`)",
  ],
  [
    "missing until",
    `${HEAD}loop: { max_iterations: 5 }\nprompt: x`,
    "3:7 loop.until: missing, expected the text of the signal, such as COMPLETE (add `until: COMPLETE`)",
  ],
  [
    "missing until beside until_bash",
    `${HEAD}loop: { max_iterations: 5, until_bash: npm test }\nprompt: x`,
    "3:7 loop.until: missing, expected the text of the signal, such as COMPLETE (add `until: COMPLETE`)",
  ],
  [
    "empty until",
    `${HEAD}loop: { until: " ", max_iterations: 5 }\nprompt: x`,
    '3:16 loop.until: expected the text of the signal, such as COMPLETE, not empty, got "" (write it like `until: COMPLETE`)',
  ],
  [
    "until with the tag",
    `${HEAD}loop: { until: <promise>X</promise>, max_iterations: 5 }\nprompt: x`,
    '3:16 loop.until: expected the text of the signal, such as COMPLETE, in one line and without the tag around it, got "<promise>X</promise>" (write it like `until: COMPLETE`)',
  ],
  [
    "missing max_iterations",
    `${HEAD}loop: { until: X }\nprompt: x`,
    "3:7 loop.max_iterations: missing, expected a whole number from 1, without quotes (add `max_iterations: 20`)",
  ],
  [
    "max_iterations < 1",
    `${HEAD}loop: { until: X, max_iterations: 0 }\nprompt: x`,
    "3:35 loop.max_iterations: expected a whole number from 1: at least one iteration, got the number 0 (write it like `max_iterations: 20`)",
  ],
  [
    "max_iterations that is not an integer",
    `${HEAD}loop: { until: X, max_iterations: 2.5 }\nprompt: x`,
    "3:35 loop.max_iterations: expected a whole number from 1: iterations cannot be fractional, got the number 2.5 (write it like `max_iterations: 20`)",
  ],
  [
    "max_iterations that is not a number",
    `${HEAD}loop: { until: X, max_iterations: "5" }\nprompt: x`,
    '3:35 loop.max_iterations: expected a whole number from 1, without quotes, got "5" (write it like `max_iterations: 20`)',
  ],
  [
    "a command file for a loop",
    `${HEAD}${LOOP}  command: plan\nprompt: x`,
    "6:3 loop.command: a loop cannot use a command file (put the text itself into the file, as `prompt: |`)",
  ],
  [
    "a loop that is not a map",
    `${HEAD}loop: yes\nprompt: x`,
    '3:7 loop: expected { until, max_iterations }, got "yes" (write it like `loop: { until: COMPLETE, max_iterations: 20 }`)',
  ],
  [
    "keys of a loop beside it",
    `${HEAD}${LOOP}prompt: x\nmax_cost: 5`,
    "7:1 max_cost: belongs inside loop (move it below `loop:`)",
  ],
  [
    "milliseconds instead of seconds",
    `${HEAD}${LOOP}  idle_timeout: 300000\nprompt: x`,
    "6:17 loop.idle_timeout: expected seconds, at most 86400 (a day), got the number 300000: milliseconds? (write it like `idle_timeout: 600`)",
  ],
  [
    "criteria with another promise",
    `${HEAD}${LOOP}  verify: { promise: OTHER }\nprompt: x`,
    "6:22 loop.verify.promise: differs from until, which is COMPLETE (remove it)",
  ],
  [
    "no name",
    `description: x\n${LOOP}prompt: x`,
    "1:1 name: missing, expected a name: one line of at most 100 characters, in quotes if it is a number (add `name: fix-bug`)",
  ],
  [
    "a misspelt key",
    `${HEAD}${LOOP}promt: x\nprompt: x`,
    '6:1 promt: unknown key "promt", did you mean "prompt"? (correct or remove the key)',
  ],
  [
    "a misspelt required key",
    `${HEAD}loop: { until: x, maxIteration: 3 }\nprompt: x`,
    '3:19 loop.maxIteration: unknown key "maxIteration", did you mean "maxIterations"? (correct or remove the key)',
  ],
  [
    "a misspelt form",
    `${HEAD}stesp: [{ prompt: x }]`,
    '3:1 stesp: unknown key "stesp", did you mean "steps"? (correct or remove the key)',
  ],
  [
    "a misspelt prompt",
    `${HEAD}${LOOP}promt: x`,
    '6:1 promt: unknown key "promt", did you mean "prompt"? (correct or remove the key)',
  ],
  [
    "no steps",
    `${HEAD}steps: []`,
    "3:8 steps: expected at least one step, got a list (write it like `steps: [{ command: plan }, { prompt: Implement the plan. }]`)",
  ],
  [
    "an empty step",
    `${HEAD}steps: [{ clearContext: true }]`,
    "3:9 steps[0]: expected either command or prompt, got neither (write one: `command: plan`)",
  ],
  [
    "a step with two kinds",
    `${HEAD}steps: [{ command: a, prompt: b }]`,
    "3:9 steps[0]: expected either command or prompt, got command and prompt (write one: `command: plan`)",
  ],
  [
    "a path for a command",
    `${HEAD}steps: [{ command: ../secret }]`,
    '3:20 steps[0].command: expected the name of a command file without its path and .md, such as plan, got "../secret" (write it like `command: plan`)',
  ],
  [
    "a missing command file",
    `${HEAD}steps:\n  - parallel: [{ step: missing }]`,
    "4:24 steps[0].parallel[0].step: there is no command file missing.md (write it)",
  ],
  [
    "a duplicate name",
    `${HEAD}steps: [{ name: a-b, prompt: x }, { name: A_b, prompt: x }]`,
    "3:43 steps[1].name: A_b is the name of an earlier part (use another name)",
  ],
  [
    "other keys beside parallel",
    `${HEAD}steps: [{ parallel: [{ prompt: x }], retry: 1 }]`,
    "3:38 steps[0].retry: is not allowed next to parallel (move it into each of its steps)",
  ],
  [
    "too many steps",
    `${HEAD}steps:\n${"  - {}\n".repeat(201)}`,
    "3:1 steps: expected at most 200, got more steps (split it into several workflows)",
  ],
  [
    "an output within a command",
    `${HEAD}${LOOP}  until_bash: test $loop.output = done\nprompt: x`,
    '6:15 loop.until_bash: $loop.output is not replaced here: outputs are never inserted into commands (use the environment variable "$NODE_OUTPUT_LOOP")',
  ],
  [
    "an empty file",
    "# nothing\n",
    "1:1 the file is empty, expected a workflow: a map with name, description, and steps, or loop with prompt (start with `name:`; docs/workflow-files.md shows complete workflows)",
  ],
  ["tabs", "name: a\n\tb: c", "2:1 Tabs are not allowed as indentation (indent with spaces)"],
  ["a duplicate key", `${HEAD}name: b\nsteps: [{ prompt: x }]`, "3:1 the key is given twice (keep one of them)"],
  [
    "several documents",
    `${HEAD}---\na: b`,
    "3:1 several YAML documents, expected one (keep one, and remove the --- lines)",
  ],
  [
    "a colon in a text",
    "name: a\ndescription: Fix: it\nsteps: [{ prompt: x }]",
    "2:14 a text with a colon and a space in it, without quotes (put the text in quotes, or in a line below `|`)",
  ],
  [
    "a key that is indented too far",
    "name: a\nloop:\n  until: DONE\n   max_iterations: 3\nprompt: x",
    "3:10 the next line is indented as part of this value (indent all keys of a map, and all dashes of a list, equally)",
  ],
  [
    "a dash that is not below the others",
    `${HEAD}steps:\n  - prompt: a\n - prompt: b`,
    "5:1 indented differently from the lines above (indent all keys of a map, and all dashes of a list, equally)",
  ],
  [
    "a text that is not indented",
    `${HEAD}${LOOP}prompt: |\nDo it\n`,
    "7:1 a line that is neither `key: value` nor indented below one (write a colon and a space after the key, or indent the text below `|`)",
  ],
  ["a tag", `${HEAD}steps: !x []`, "3:8 Unresolved tag: !x (remove the tag that starts with !)"],
])("rejected with its own message: %s", (_name, source, expected) => {
  expect(faultsOf(source)).toEqual([expected]);
});

test("endless nesting is reported once", () => {
  expect(faultsOf(`steps: ${"[".repeat(5_000)}`)).toEqual([expect.stringMatching(/^1:\d+ nested too deeply/)]);
});

test("all mistakes of a file are reported, in file order", () => {
  const faults = faultsOf("name: 3\nloop: { until: 1, max_iterations: x, interactive: true }\nwhat: 1\n");
  expect(faults.map((fault) => fault.split(" ", 2).join(" "))).toEqual([
    "1:1 prompt:",
    "1:1 description:",
    "1:7 name:",
    "2:16 loop.until:",
    "2:35 loop.max_iterations:",
    "2:38 loop.interactive:",
    "3:1 what:",
  ]);
});

test("the document's example is read", () => {
  const example = `name: ralph
description: |
  Autonomous iteration loop that implements PRD stories one by one.
  Use when: You have a prd.json with user stories to implement autonomously.
  Triggers: "run ralph", "implement all stories", "autonomous loop".
  Does: Picks next story with passes:false, implements it, repeats until all pass.

provider: claude

loop:
  until: COMPLETE
  max_iterations: 20
  fresh_context: false

prompt: |
  You are an autonomous coding agent working through a PRD.

  $USER_MESSAGE

  If ALL stories are complete, output:
  <promise>COMPLETE</promise>
`;
  expect(workflowOf(example)).toMatchObject({
    name: "ralph",
    triggers: ["run ralph", "implement all stories", "autonomous loop"],
    provider: "claude",
    parts: [{ until: "COMPLETE", maxIterations: 20, freshContext: false }],
  });
});
