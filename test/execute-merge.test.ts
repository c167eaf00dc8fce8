import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { full } from "./support/effort.ts";
import { type PipelineSandbox, pipeline } from "./support/pipeline.ts";

const ONE_STAGE = { ralph: { stages: ["coder"] } };

/** Two tasks that change the same line; the one merged second has the conflict. */
async function rivals(box: PipelineSandbox): Promise<void> {
  box.write("shared.txt", "start\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "shared");
  await box.task("A", { coder: "grep -q A shared.txt" }, "--priority", "1");
  await box.task("B", { coder: "grep -q B shared.txt" }, "--priority", "2");
  // The second one starts before the first is merged.
  box.plan(
    "coder",
    'echo "$task" > shared.txt; [ "$task" = B ] || while ! grep -q "B coder" "$PLAN/calls"; do sleep 0.05; done',
  );
}

test.concurrent("an agent resolves the conflicts of a merge", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  await rivals(box);
  box.plan("conflict", 'grep -q "<<<<<<<" shared.txt || exit 9; printf "A\\nB\\n" > shared.txt');
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(box.read("shared.txt")).toBe("A\nB\n");
  const conflicts = lines.flatMap(({ event }) => (event?.type === "work.updated" ? [event.conflicts] : []));
  expect(conflicts).toContainEqual(["shared.txt"]);
  expect(box.calls().filter((call) => call.endsWith("conflict"))).toHaveLength(1);
  expect(box.git("log", "--first-parent", "--format=%s", "-2").trim().split("\n").sort()).toEqual([
    "Merge task/A: Task A",
    "Merge task/B: Task B",
  ]);
});

full.concurrent("unresolved conflicts block the task, and its work is kept", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { ralph: { stages: ["coder"], conflict: { max_iterations: 2 } } });
  await rivals(box);
  box.plan("conflict", ":");
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  const { tasks } = lines.at(-1) as unknown as { tasks: Record<string, string> };
  expect(Object.values(tasks).sort()).toEqual(["blocked", "done"]);
  const [loser = ""] = Object.keys(tasks).filter((id) => tasks[id] === "blocked");
  const winner = loser === "A" ? "B" : "A";
  expect(box.read("shared.txt")).toBe(`${winner}\n`);
  expect(box.git("show", `task/${loser}:shared.txt`)).toContain("<<<<<<<");
  expect(readFileSync(join(box.worktree(loser), "shared.txt"), "utf8")).toContain(loser);
  const { stdout } = await box.ralph("worktrees", "list");
  expect(stdout).toMatch(new RegExp(`${loser} .*blocked`));
});

full.concurrent(
  "work that fails together with the target goes back to the coder",
  async ({ expect, onTestFinished }) => {
    const box = pipeline(onTestFinished, ONE_STAGE);
    const both = "! { test -f A.txt && test -f B.txt; } || test -f together.txt";
    await box.task("A", { coder: both });
    await box.task("B", { coder: both });
    box.plan(
      "coder",
      `echo x > "$task.txt"
[ "$task" = A ] && while ! grep -q "B coder" "$PLAN/calls"; do sleep 0.05; done
case $prompt in *"does not pass"*) touch together.txt;; esac`,
    );
    const { code, lines } = await box.execute();
    expect(code).toBe(0);
    const refused = lines.filter(({ event }) => event?.type === "merge.refused");
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ status: "implementing", rounds: 1 });
    expect(box.exists("together.txt")).toBe(true);
  },
);

test.concurrent("tasks are merged beside the user's edits; one that touches them waits", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  box.write("mine.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  box.write("other.txt", "x\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "mine");
  await box.task("A", { coder: "test -f A.txt" });
  await box.task("B", { coder: "grep -q B mine.txt" });
  await box.task("C", { coder: "grep -q C mine.txt" });
  box.plan(
    "coder",
    "case $task in A) touch A.txt;; B) sed -i.old s/1/B/ mine.txt;; C) sed -i.old s/5/C/ mine.txt;; esac; rm -f *.old",
  );
  box.write("mine.txt", box.read("mine.txt").replace("9", "my edit"));
  box.write("other.txt", "staged\n");
  box.git("add", "other.txt");
  const before = box.git("status", "--porcelain");
  const first = await box.ralph("execute", "--max-parallel", "1");
  expect(first.code).toBe(1);
  expect(first.stderr).toContain(
    "! main is checked out here with 2 changed files (mine.txt, other.txt): tasks that touch",
  );
  expect(first.stderr.match(/same files \(mine\.txt\)/g)).toHaveLength(2);
  expect(first.stderr).toMatch(/C is proven, but not merged yet: as B\n[\s\S]*B, C proven, but not merged yet: main/);
  expect([box.exists("A.txt"), box.git("status", "--porcelain")]).toEqual([true, before]);
  box.git("commit", "--quiet", "-am", "mine again");
  expect((await box.execute()).code).toBe(0);
  expect(box.read("mine.txt")).toBe("B\n2\n3\n4\nC\n6\n7\n8\nmy edit\n");
  expect(box.calls()).toEqual(["A coder", "B coder", "C coder"]);
});
