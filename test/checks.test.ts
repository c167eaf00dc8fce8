import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";

function loop(settings: object, { git = true } = {}): Sandbox {
  const box = sandbox();
  box.write(".ralph/settings.json", JSON.stringify(settings));
  box.write(".gitignore", "runs\nmet-*\nprompt-*\n");
  if (git) {
    box.initGit();
    box.git("add", "--all");
    box.git("commit", "--quiet", "-m", "settings");
  }
  box.program("agent", `printf '%s' "$1" > "prompt-$RALPH_ITERATION"\necho "$RALPH_ITERATION" > work\necho '${DONE}'`);
  return box;
}

const run = (box: Sandbox, ...args: string[]) =>
  box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", ...args);

const stage = (name: string, config: object, more: object = {}) => ({ name, method: "external", config, ...more });
const stages = (list: object[], more: object = {}) => ({
  verification_method: "multi_stage",
  verification_config: { stages: list },
  baseline: false,
  ...more,
});

test("the output decides, and the agent is told what was missing", async () => {
  const box = loop({
    completion: stages([
      stage("tests", { command: "echo 3 passed\necho 1 FAILED >&2", output_contains: ["passed", "green"] }),
    ]),
  });
  const { code, stderr } = await run(box, "-m", "2");
  expect(code).toBe(1);
  expect(stderr).toContain('✗ not proven (fail): tests: output does not contain "green"');
  expect(box.read("prompt-2")).toContain('Result: output does not contain "green"');
  expect(box.read("prompt-2")).toContain("1 FAILED");
});

full("parallel stages run at the same time, up to the limit, with results in order", async () => {
  // Each waits for the other: alone they would not end.
  const meet = (me: string, other: string) => `touch met-${me}; while [ ! -e met-${other} ]; do sleep 0.05; done`;
  const together = [
    stage("a", { command: `${meet("a", "b")}; sleep 0.3; exit 3`, timeout: 60 }, { parallel: true }),
    stage("b", { command: `${meet("b", "a")}; exit 4`, timeout: 60 }, { parallel: true }),
    stage("c", { command: "touch met-c" }),
  ];
  const box = loop({ completion: stages(together) });
  expect((await run(box)).stderr).toContain("✗ not proven (fail): a: exit code 3; b: exit code 4");
  expect(box.exists("met-c")).toBe(false);

  const alone = together.map((one) => ({ ...one, config: { ...one.config, timeout: 0.5 } }));
  const { stderr } = await run(loop({ completion: stages(alone, { max_parallel: 1 }) }));
  expect(stderr).toContain("✗ not proven (fail): a: timed out after 500ms");
});

const COUNT = "echo x >> runs; cat runs";
const countedRuns = (box: Sandbox) => box.read("runs").trim().split("\n").length;

test("a command of a guardrail and of several checks runs once if nothing changes", async () => {
  const box = loop({
    guardrails: [{ command: COUNT }],
    verify: [COUNT],
    completion: {
      ...stages([stage("one", { command: COUNT, output_contains: "x" }), stage("two", { command: COUNT })]),
      outcome: "it counts",
    },
  });
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  expect(countedRuns(box)).toBe(1);
  expect(stderr.match(/✓ check: .*cached/g)).toHaveLength(3);
  expect(stderr).toContain("3 of 3 checks pass");
});

full.each<[string, object, { git?: boolean }, number]>([
  [
    "the criteria forbid it",
    { completion: stages([stage("one", { command: COUNT })], { cache: false }), verify: [COUNT] },
    {},
    2,
  ],
  [
    "a stage forbids it",
    { completion: stages([stage("one", { command: COUNT }, { cache: false })]), verify: [COUNT] },
    {},
    2,
  ],
  ["there is no repository", { verify: [COUNT, COUNT], completion: { baseline: false } }, { git: false }, 2],
  [
    "the tree changed in between",
    { verify: [COUNT, "date +%N > stamp", COUNT], completion: { baseline: false } },
    {},
    2,
  ],
  ["the baseline ran it", { verify: [COUNT] }, {}, 2],
])("it runs again if %s", async (_name, settings, options, times) => {
  const box = loop(settings, options);
  const { code, stderr } = await run(box);
  expect({ code, cached: stderr.includes("cached") }).toEqual({ code: 0, cached: false });
  expect(countedRuns(box)).toBe(times);
});

full("every iteration starts without cached results", async () => {
  const box = loop({ guardrails: [{ command: `${COUNT}; exit 1` }, { command: `${COUNT}; exit 1` }] });
  await run(box, "-m", "2", "--stuck-after", "0");
  expect(countedRuns(box)).toBe(2);
});

full("the console shows all lines of a command, and an optional failure as a warning", async () => {
  const box = sandbox();
  box.program("agent", "echo '<promise>DONE</promise>'");
  const stages = [
    { name: "lint", required: false, config: { command: "set -e\nfalse" } },
    { name: "test", config: { command: "true" } },
  ].map((stage) => ({ ...stage, method: "external" }));
  box.write(".ralph/settings.json", JSON.stringify({ completion: { verification_config: { stages } } }));
  const { stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1");
  expect(stderr).toMatch(/^ {2}! check: set -e false \(exit code 1, /m);
  expect(stderr).toContain("  … check: set -e false\n");
});
