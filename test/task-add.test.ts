import { expect, test } from "vitest";
import { inProcess, runInProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";

interface Added {
  tasks: { id: string; title: string; spec_id: string; description: string; completion_spec: object }[];
  specs: string[];
  done: { checks: string[]; judged: string[] };
}

test.concurrent("a title is enough; id and spec are chosen, and what done means is said", async ({
  onTestFinished,
}) => {
  const box = inProcess(onTestFinished);
  const first = await box.ralph("task", "add", "Add a discount");
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/^Created the spec work /);
  expect(first.stdout).toMatch(/^Created TASK-001 in work: Add a discount\n.*no check.*promise-only.*\n.*--verify/);
  expect(first.stdout).toMatch(/next: ralph execute --dry-run\n$/);
  box.write(".ralph/settings.json", '{"verify": ["npm test"], "ralph": {"stages": ["coder", "qa"]}}');
  const second = await box.ralph(
    "task",
    "add",
    "Round it",
    "Show it",
    "--verify",
    "make lint",
    "--depends",
    "TASK-001",
  );
  expect(second.stderr).toBe("");
  expect(second.stdout).toBe(
    "Created TASK-002 in work: Round it\nCreated TASK-003 in work: Show it\n  done when these pass: make lint, npm test\n  next: ralph execute --dry-run\n",
  );
  const given = ["--scope", "src/**", "--priority", "1", "--acceptance", "It is clear", "--description", "In detail"];
  const { tasks, specs, done } = (await box.json("task", "add", "Explain it", ...given)) as Added;
  expect(tasks).toMatchObject([{ id: "TASK-004", spec_id: "work", priority: 1, description: "In detail" }]);
  expect(tasks[0]?.completion_spec).toEqual({
    outcome: "Explain it",
    acceptance_criteria: ["It is clear"],
    scope: ["src/**"],
  });
  expect([specs, done]).toEqual([[], { checks: ["npm test"], judged: ["semantic: It is clear"] }]);
  expect(await box.json("task", "show", "TASK-003")).toMatchObject({
    dependencies: ["TASK-001"],
    history: [{ type: "task.added" }],
    completion_spec: { acceptance_criteria: [{ text: "make lint passes", check: "make lint" }] },
  });
});

test.concurrent("a text on standard input has a title and a description", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  const add = async (input: string, ...args: string[]) => {
    const ended = await runInProcess(["task", "add", "--json", ...args], { cwd: box.cwd, env: box.env, input });
    return ended.code === 0 ? (JSON.parse(ended.stdout) as Added).tasks[0] : ended;
  };
  expect(await add("## Round the totals\n\nHalf a cent\nis rounded up.\n")).toMatchObject({
    title: "Round the totals",
    description: "Half a cent\nis rounded up.",
  });
  expect(await add("- [ ] one item", "-")).toMatchObject({ title: "one item", description: "" });
  expect(await add("why and how", "Add it", "--description", "-")).toMatchObject({ description: "why and how" });
  const long = `${"many words ".repeat(40)}end`;
  expect(await add(long)).toMatchObject({ title: expect.stringMatching(/^many words .*…$/), description: long });
  expect(await add("  \n")).toMatchObject({ code: 2, stderr: expect.stringContaining("a task needs a title") });
});

test.concurrent("tasks added at the same time get different ids", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  await box.ralph("task", "create", "task-7", "one", "By hand", "--no-criteria");
  const titles = Array.from({ length: 8 }, (_, i) => `Task number ${i}`);
  const ends = await Promise.all(titles.map((title) => box.ralph("task", "add", title)));
  expect(ends.map(({ code }) => code)).toEqual(titles.map(() => 0));
  const tasks = (await box.json("task", "list")) as { id: string; spec_id: string }[];
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(9);
  expect(tasks.map(({ id }) => id)).toContain("TASK-015");
  expect(new Set(tasks.map(({ spec_id }) => spec_id))).toEqual(new Set(["one"]));
});

test.concurrent("with several specs, tasks go to the one named after the repository, or the one asked for", async ({
  onTestFinished,
}) => {
  const box = inProcess(onTestFinished);
  for (const spec of ["one", "two"]) await box.ralph("spec", "create", spec);
  expect(await box.json("task", "add", "First task")).toMatchObject({ spec: "work", specs: ["work"] });
  expect(await box.json("task", "add", "Second task", "--spec", "two")).toMatchObject({ spec: "two", specs: [] });
});

test.concurrent("mistakes are refused, and nothing is added", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  const refused: [string[], string][] = [
    [["Add", "a", "discount"], '"a" is a single word'],
    [["Add a discount", "--verify", "npm", "test"], '"test" is a single word'],
    [["Add it", "--depends", "TASK-9"], "TASK-9, which does not exist"],
    [["Add it", "--spec", "../x"], "cannot be the id of a spec"],
    [["Add it", "--scope", " "], "--scope"],
    [[""], "not empty"],
  ];
  for (const [args, words] of refused) expectRefusal(await box.ralph("task", "add", ...args), words);
  expect(await box.json("task", "list")).toEqual([]);
  box.write(".ralph/settings.json", "{ broken");
  const { code, stdout, stderr } = await box.ralph("task", "add", "Add it");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created TASK-001 /)]);
  expect(stderr).toContain("settings.json");
});

test.concurrent("several tasks are changed together: all of them, or none", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  await box.ralph("task", "add", "Task A", "Task B", "Task C", "--verify", "npm test", "--acceptance", "It is clear");
  const ids = ["TASK-001", "TASK-002", "TASK-003"];
  const statuses = async () => ((await box.json("task", "list")) as { status: string }[]).map(({ status }) => status);
  const changed = await box.json("task", "update", ...ids, "--status", "cancelled", "--verify", "make check");
  const criteria = ["It is clear", { text: "make check passes", check: "make check" }];
  expect(changed).toMatchObject(
    ids.map((id) => ({ id, status: "cancelled", completion_spec: { acceptance_criteria: criteria } })),
  );
  const many = await box.ralph("task", "update", ...ids, "TASK-9", "TASK-8", "--status", "todo");
  expectRefusal(many, "TASK-9");
  expect(many.stderr).toContain("TASK-8");
  expect(await statuses()).toEqual(["cancelled", "cancelled", "cancelled"]);
  // The circle is found when the second of them is written.
  expectRefusal(await box.ralph("task", "update", ...ids, "--status", "todo", "--depends-on", "TASK-002"), "itself");
  expect(await statuses()).toEqual(["cancelled", "cancelled", "cancelled"]);
  const { stdout } = await box.ralph("task", "update", ...ids, "--status", "todo", "--acceptance", "Clear and short");
  expect(stdout.split("\n").slice(0, 3)).toEqual(ids.map((id, i) => `Updated ${id} (todo): Task ${"ABC"[i]}`));
  expect(await box.json("task", "show", "TASK-001")).toMatchObject({
    completion_spec: { acceptance_criteria: ["Clear and short", criteria[1]] },
  });
});
