import { test } from "vitest";
import { full } from "./support/effort.ts";
import { factsOf, pipeline } from "./support/pipeline.ts";

const checks = (id: string) => ({
  coder: `test -f ${id}.txt`,
  tester: `test -s ${id}.txt`,
  qa: `grep -q work ${id}.txt`,
});

test.concurrent("merges tasks in the order of their dependencies", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished);
  await box.task("A", checks("A"), "--priority", "5");
  await box.task("B", checks("B"), "--depends-on", "A", "--priority", "1");
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(factsOf(lines, "A")).toEqual([
    "task.taken",
    "work.prepared",
    ...Array.from({ length: 4 }, () => ["stage.began", "stage.ended"]).flat(),
    "work.updated",
    "merge.proven",
    "task.merged",
  ]);
  expect(box.calls()).toEqual(
    ["A", "B"].flatMap((id) => ["coder", "reviewer", "tester", "qa"].map((role) => `${id} ${role}`)),
  );
  expect(box.git("log", "--first-parent", "--format=%s").split("\n").slice(0, 2)).toEqual([
    "Merge task/B: Task B",
    "Merge task/A: Task A",
  ]);
  expect(box.read("A.txt")).toBe("work of A\n");
  expect(box.git("status", "--porcelain", "--untracked-files=no")).toBe("");
  expect(await box.status("B")).toMatchObject({ status: "done", held: false });
  const log = box
    .read(".ralph/execution.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(log).toHaveLength(8);
  expect(log[0]).toMatchObject({
    task_id: "A",
    stage: "coder",
    ralph_iteration: 1,
    ralph_max: 15,
    promise_found: true,
    continuing: false,
    verified: true,
    timed_out: false,
  });
  expect(lines.at(-1)).toMatchObject({ type: "result", counts: { done: 2 }, tasks: { A: "done", B: "done" } });
});

full.concurrent("each stage may need more than one iteration", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished);
  await box.task("A", { coder: "grep -q 2 coder", tester: "grep -q 2 tester", qa: "grep -q 2 tester" });
  for (const role of ["coder", "tester"]) box.plan(role, 'echo "$n" > "$role"');
  box.plan("qa", '[ "$n" = 2 ] || promise=');
  // The first review is invalid: it is only prose.
  box.plan("reviewer", '[ "$n" = 2 ] || approve="I approve of this."');
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(box.calls()).toEqual(["coder", "reviewer", "tester", "qa"].flatMap((role) => [`A ${role}`, `A ${role}`]));
  const ends = lines.flatMap(({ event }) => (event?.type === "stage.ended" ? [[event.place, event.iterations]] : []));
  expect(ends).toEqual([
    ["coder", 2],
    ["reviewer", 2],
    ["tester", 2],
    ["qa", 2],
  ]);
});

test.concurrent("faults found by a reviewer go back to the coder", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished);
  await box.task("A", checks("A"));
  box.plan("coder", 'printf "%s\\n" "$prompt" > "../prompt-$n"; echo "work $n" > A.txt');
  box.plan(
    "reviewer",
    `[ "$n" = 1 ] && approve='<review>{"approved": false, "findings": ["A.txt:1 says nothing"]}</review>'`,
  );
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(box.calls().map((call) => call.split(" ")[1])).toEqual([
    "coder",
    "reviewer",
    "coder",
    "reviewer",
    "tester",
    "qa",
  ]);
  const sent = lines.find(({ event }) => event?.type === "stage.ended" && event.reason === "faults-found");
  expect(sent).toMatchObject({ status: "implementing", rounds: 1, event: { findings: ["A.txt:1 says nothing"] } });
  const prompts = ["1", "2"].map((n) => box.read(`${box.worktree("x")}/../prompt-${n}`));
  expect(prompts[0]).not.toContain("says nothing");
  expect(prompts[1]).toContain("A.txt:1 says nothing");
});

full.concurrent("findings after the last round block the task", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { ralph: { max_rounds: 1, stages: ["coder", "qa"] } });
  await box.task("A", checks("A"));
  box.plan("coder", 'echo "work $n" > A.txt');
  box.plan("qa", `approve='<review>{"approved": false, "findings": ["still wrong"]}</review>'`);
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  expect(box.calls().map((call) => call.split(" ")[1])).toEqual(["coder", "qa", "coder", "qa"]);
  expect(lines.at(-1)).toMatchObject({ tasks: { A: "blocked" }, counts: { blocked: 1 } });
  expect(box.git("branch", "--list", "task/A")).toContain("task/A");
  expect(box.exists("A.txt")).toBe(false);
});

full.concurrent(
  "a stage that never completes fails the attempt, and the last attempt blocks",
  async ({ expect, onTestFinished }) => {
    const box = pipeline(onTestFinished, { ralph: { max_attempts: 2, coder: { max_iterations: 2 } } });
    await box.task("A", { coder: "test -f never" });
    await box.task("B", checks("B"));
    const { code, lines, stderr } = await box.execute("--max-parallel", "1");
    expect([code, stderr]).toEqual([1, ""]);
    expect(box.calls().filter((call) => call.startsWith("A"))).toHaveLength(4);
    expect(lines.at(-1)).toMatchObject({ tasks: { A: "blocked", B: "done" } });
    expect(await box.status("A")).toMatchObject({
      status: "blocked",
      metadata: {
        ralph_failure: {
          stage: "coder",
          iterations_used: 2,
          reason: "Max iterations reached. Last verification: test -f never: exit code 1",
          last_output: "<promise>IMPLEMENTATION_COMPLETE</promise>",
        },
      },
    });
    // Named by the user it is retried, from the stage that failed and on the same branch.
    box.plan("coder", "touch never");
    expect((await box.execute("--task", "A", "--stages", "coder")).code).toBe(0);
    expect(box.git("log", "--format=%s", "-3")).toContain("A coder: Task A (iteration 1)");
  },
);

test.concurrent("an agent that cannot continue without the user blocks its task", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { ralph: { enabled: false } });
  await box.task("A", checks("A"));
  await box.task("B", { ...checks("B"), coder: "test -f never" });
  box.plan("A-coder", 'promise="<blocked>which database?</blocked>"');
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ tasks: { A: "blocked", B: "blocked" } });
  // Without the loop a stage is one pass, and verification still decides.
  expect(box.calls()).toHaveLength(1 + 3);
  const { stdout } = await box.ralph("task", "show", "A");
  expect(stdout).toContain("which database?");
});
