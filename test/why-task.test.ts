import { expect, test } from "vitest";
import { pipeline } from "./support/pipeline.ts";

const SETTINGS = { stages: ["coder", "reviewer"], max_attempts: 1, coder: { max_iterations: 1 } };

test("`why` shows a whole task: every round, who sent it back and why, its merge, what to do", async () => {
  const box = pipeline(undefined, { ralph: SETTINGS });
  const tests = ["one", "two"].map((name) => `test("has ${name}", () => assert(existsSync("${name}")));`).join("\n");
  box.write(
    "has.test.mjs",
    `import assert from "node:assert";\nimport { existsSync } from "node:fs";\nimport test from "node:test";\n${tests}\n`,
  );
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "tests");
  await box.task("A", { coder: "test -f A.txt" });
  await box.task("B", { coder: "node --test has.test.mjs" });
  box.plan("coder", 'echo "work of $task" >> "$task.txt"; [ "$task" = A ] || echo > one');
  box.plan(
    "A-reviewer",
    `[ "$n" = 1 ] && approve='<review>{"approved": false, "findings": ["the name is wrong"]}</review>'`,
  );
  const before = await box.ralph("why", "A");
  expect(before.stdout).toMatch(/^… todo: Task A \(A\)\n {2}decides next: .*\n {2}next: ralph execute\n/);
  expect((await box.execute()).code).toBe(1);
  const { stdout } = await box.ralph("why", "A");
  expect(
    stdout
      .replace(/\b[0-9a-f]{8,10}\b/g, "#")
      .replace(/\d\d:\d\d/g, "<time>")
      .replace(/pid \d+/, "pid #"),
  ).toBe(`\
✓ merged, verified: Task A (A, attempt 1 of 1, sent back once, 4 loops)
  decided: every stage passed, and so did the checks on the merge result: # in main; a check that failed before the work passes now
  next: ralph diff A

  outcome   A works

created by ralph task create (pid #) (<time>)

taken by execution #: coder, reviewer (<time>)
  branch task/A created at #, for main

attempt 1, round 1 (<time>)
  coder     ✓ verified (1 iteration, loop #)
  reviewer  ✗ sent the task back to the coder: faults-found (1 iteration, loop #)
            - the name is wrong

attempt 1, round 2, sent back by the reviewer (<time>)
  coder     ✓ verified (1 iteration, loop #)
  reviewer  ? promise-only (1 iteration, loop #)
  merge     # merged into its branch
  merge     proven: #
  merge     merged: #

each loop: ralph why <loop>, such as ralph why #
`);
  const blocked = (await box.ralph("why", "B")).stdout;
  expect(blocked).toMatch(/^■ blocked: Task B \(B, attempt 1 of 1, 1 loop\)\n/);
  expect(blocked).toMatch(
    /\n {2}decided: 1 attempt has failed at .*; failed: has two\n {2}next: .*ralph execute --task B\n/,
  );
  expect(blocked).toContain("  coder     ✗ blocked the task: iteration-limit (1 iteration, loop ");
  expect(await box.json("why", "B")).toMatchObject({
    reason: "iteration-limit",
    iterations: [{ n: 1 }],
    task: { id: "B", status: "blocked", steps: expect.arrayContaining([expect.objectContaining({ is: "stage" })]) },
  });
});
