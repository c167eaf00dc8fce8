import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { full } from "./support/effort.ts";
import { factsOf, type PipelineSandbox, pipeline } from "./support/pipeline.ts";

const file = (id: string) => ({ coder: `test -f ${id}.txt` });
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

full.concurrent("a dirty checkout is left alone, and the task waits for it", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  box.write("mine.txt", "committed\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "mine");
  await box.task("A", file("A"));
  await box.task("B", file("B"), "--depends-on", "A");
  box.write("mine.txt", "being edited\n");
  const before = box.git("rev-parse", "HEAD");
  const first = await box.execute();
  expect(first.code).toBe(1);
  expect(factsOf(first.lines, "A").at(-1)).toBe("merge.waits");
  expect([box.git("rev-parse", "HEAD"), box.read("mine.txt")]).toEqual([before, "being edited\n"]);
  expect(box.calls()).toEqual(["A coder"]);
  box.git("commit", "--quiet", "-am", "mine again");
  const second = await box.execute();
  expect(second.code).toBe(0);
  expect(box.calls()).toEqual(["A coder", "B coder"]);
  expect(box.read("mine.txt")).toBe("being edited\n");
});
