import { test } from "vitest";
import { full, sample } from "./support/effort.ts";
import { type PipelineSandbox, pipeline } from "./support/pipeline.ts";
import type { Finished } from "./support/sandbox.ts";

interface Way {
  stages?: readonly string[];
  /** What each role does; by default a coder writes `<task>.txt`. */
  plans?: Record<string, string>;
  checks?: Partial<Record<"coder" | "tester" | "qa", string>>;
  ralph?: object;
}

/** A pipeline with one task, A. */
async function withTask(finished: Finished, { stages = ["coder"], plans = {}, checks, ralph = {} }: Way) {
  const box = pipeline(finished, { ralph: { stages, max_attempts: 2, max_rounds: 2, ...ralph } });
  for (const [role, plan] of Object.entries(plans)) box.plan(role, plan);
  if (checks) await box.task("A", checks);
  else await box.ralph("task", "create", "A", "demo", "Task A", "--no-criteria");
  return box;
}

const proofOf = async (box: PipelineSandbox): Promise<unknown> =>
  ((await box.json("task", "show", "A")) as { proof: unknown }).proof;

const WROTE = "test -f A.txt";
const WORDS = { coder: { verification_method: "string_match" } };

test.concurrent.for<[string, string, Way]>(
  sample(
    [
      ["verified", "the coder's check went from red to green", { checks: { coder: WROTE } }],
      ["still-green", "it passed at the start of the branch", { checks: { coder: "true" } }],
      ["promise-only", "nothing checks the coder", { ralph: WORDS }],
      [
        "verified",
        "later stages keep it",
        { stages: ["coder", "reviewer", "tester"], checks: { coder: WROTE, tester: "true" } },
      ],
      [
        "still-green",
        "a tester's check that went green does not raise it",
        { stages: ["coder", "tester"], checks: { coder: "true", tester: WROTE } },
      ],
      [
        "promise-only",
        "nor does it raise the coder's word",
        { stages: ["coder", "tester"], checks: { tester: WROTE }, ralph: WORDS },
      ],
      [
        "verified",
        "a coder that was sent back is judged from the start of the branch",
        {
          stages: ["coder", "reviewer"],
          checks: { coder: WROTE },
          plans: {
            coder: 'echo "$n" > "$task.txt"',
            reviewer: `[ "$n" -gt 1 ] || approve='<review>{"approved": false, "findings": ["write more"]}</review>'`,
          },
        },
      ],
      [
        "verified",
        "so is one whose first attempt failed",
        {
          checks: { coder: "test -f A.txt && test -f B.txt" },
          plans: { coder: '[ "$n" -gt 1 ] && echo b > B.txt; echo "$n" > A.txt; [ "$n" -gt 1 ] || promise=' },
          ralph: { coder: { max_iterations: 1 } },
        },
      ],
      [
        "verified",
        "without a coder the first stage decides",
        { stages: ["tester"], checks: { tester: WROTE }, plans: { tester: "echo t > A.txt" } },
      ],
    ],
    1,
  ),
)("a task is %s: %s", async ([level, , way], { expect, onTestFinished }) => {
  const box = await withTask(onTestFinished, way);
  const { lines, stderr } = await box.execute();
  expect(lines.at(-1), stderr).toMatchObject({ tasks: { A: "done" }, proofs: { A: level } });
  expect(await proofOf(box)).toBe(level);
  expect((await box.ralph("task", "list")).stdout).toContain(`done, ${level}`);
});

full.concurrent.for<[string, number, Way]>([
  ["verified", 0, { checks: { coder: WROTE } }],
  ["still-green", 1, { checks: { coder: "true" } }],
  ["promise-only", 1, { ralph: WORDS }],
  [
    "verified, although a later stage alone would be weaker",
    0,
    { stages: ["coder", "reviewer"], checks: { coder: WROTE } },
  ],
])("--strict judges the task: %s exits %i", async ([, code, way], { expect, onTestFinished }) => {
  const box = await withTask(onTestFinished, way);
  const strict = await box.ralph("execute", "--strict");
  expect(strict.stderr).toContain("A ");
  expect(strict.code).toBe(code);
  expect(strict.stderr.includes("--strict requires judged or better: A")).toBe(code === 1);
});

test.concurrent("a coder that does nothing ends as no-work, and the task is not done", async ({
  expect,
  onTestFinished,
}) => {
  const box = await withTask(onTestFinished, {
    checks: { coder: "true" },
    plans: { coder: ":" },
    ralph: { max_attempts: 1 },
  });
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ tasks: { A: "blocked" } });
  const ended = lines.find(({ event }) => event?.type === "stage.ended");
  expect(ended?.event).toMatchObject({ place: "coder", reason: "no-work", iterations: 2 });
});
