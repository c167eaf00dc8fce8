import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "vitest";
import { type Line, type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

const QUICK = { max_attempts: 1, max_rounds: 1, max_parallel: 1, stages: ["coder"], coder: { max_iterations: 1 } };
const SQLITE = createRequire(import.meta.url).resolve("@photostructure/sqlite");

/** A repository whose first task is A: its coder changes the others, and waits when asked to. */
async function pinned(finished: Finished, ralph: object = {}): Promise<PipelineSandbox> {
  const box = pipeline(finished, { ralph: { ...QUICK, ...ralph } });
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  // An agent can write like this through a server, or any program of its own.
  box.program(
    "sql",
    `#!${process.execPath}
const { DatabaseSync } = require(${JSON.stringify(SQLITE)});
const db = new DatabaseSync(${JSON.stringify(join(box.state, "ralph.db"))});
db.exec("PRAGMA busy_timeout = 20000");
db.exec(process.argv[2]);
`,
  );
  await box.task("A", { coder: "test -f A.txt", qa: "true" }, "--priority", "1");
  return box;
}

/** What was reported of a task, except that nothing protects its check. */
const notes = (lines: readonly Line[], task: string | null): string[] =>
  lines
    .filter((line) => line.type === "note" && line.task === task)
    .map((line) => String(line.words))
    .filter((words) => !words.includes("could be protected"));
const LATER = "the change applies from the next `ralph execute` on; --accept-changes applies it immediately";
const endOf = (lines: readonly Line[]) => lines.at(-1) as Line & { tasks: object; changed: object[]; counts: object };
const own = (id: string) => ({ coder: `test -f ${id}.txt` });

test.concurrent("database writes during an execution decide nothing in it", async ({ expect, onTestFinished }) => {
  const box = await pinned(onTestFinished);
  await box.task("NEVER", { coder: "false" }, "--priority", "2");
  await box.task("CRITERIA", { coder: "false" });
  await box.task("UNLOCKED", own("UNLOCKED"), "--depends-on", "NEVER");
  await box.task("LOCKED", own("LOCKED"));
  for (const id of ["DONE", "HELD", "MERGING", "GONE", "COUNTED", "DROPPED", "FILED"]) await box.task(id, own(id));
  const set = (id: string, values: string) => `sql "UPDATE tasks SET ${values} WHERE id = '${id}'"`;
  box.plan(
    "A-coder",
    `echo work > A.txt
${set("CRITERIA", "completion_spec = replace(completion_spec, 'false', 'true')")}
${set("UNLOCKED", "dependencies = '[]', open = 0")}
sql "DELETE FROM dependencies WHERE task = 'UNLOCKED'"
${set("LOCKED", "dependencies = json_array('NEVER'), open = 1")}
${set("DONE", "status = 'done'")}
${set("HELD", "held = 1")}
${set("MERGING", "status = 'qa', state = json_object('status', 'qa', 'at', 'merge', 'proven', 'HEAD')")}
sql "DELETE FROM tasks WHERE id = 'GONE'; DELETE FROM entries WHERE subject = 'task/GONE'"
${set("COUNTED", "open = 3")}
${set("DROPPED", "status = 'cancelled'")}
sql "INSERT INTO tasks (id, spec, title, description, priority, dependencies, assignee, metadata, completion_spec, created_at_ms, updated_at_ms, open, dependants)
  SELECT 'PLANTED', spec, 'Planted', '', 1, '[]', '', '{}', replace(completion_spec, 'test -f FILED.txt', 'touch ${box.cwd}/planted'), 1, 1, 0, 0 FROM tasks WHERE id = 'FILED'"`,
  );
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  const end = endOf(lines);
  expect(end.tasks).toEqual({
    ...{ A: "done", NEVER: "blocked", CRITERIA: "blocked" },
    ...{ LOCKED: "done", DONE: "done", HELD: "done", MERGING: "done", GONE: "done", COUNTED: "done" },
    ...{ DROPPED: "done", FILED: "done" },
  });
  for (const id of ["LOCKED", "DONE", "HELD", "MERGING", "GONE", "DROPPED"]) {
    expect(box.calls(), id).toContain(`${id} coder`);
    expect(box.git("show", `main:${id}.txt`)).toBe(`work of ${id}\n`);
  }
  expect(box.exists("planted")).toBe(false);
  expect(await box.status("UNLOCKED")).toMatchObject({ status: "todo", dependencies: [] });
  // Each is reported once, and none is lost.
  expect(notes(lines, "CRITERIA")).toEqual([`was changed during this execution (criteria): ${LATER}`]);
  expect(notes(lines, "UNLOCKED")).toEqual([`was changed during this execution (dependencies): ${LATER}`]);
  expect(notes(lines, "GONE")).toEqual([`was deleted during this execution: ${LATER}`]);
  expect(notes(lines, "DONE")).toEqual([expect.stringContaining("is done in the database and todo in its journal")]);
  expect(notes(lines, "PLANTED")).toEqual([expect.stringContaining("no journal records by whom")]);
  expect(end.changed).toContainEqual({ task: "CRITERIA", what: "criteria" });
  expect(end.left).toContainEqual({ task: "UNLOCKED", why: "waits for NEVER (blocked)" });
  // They apply from the next start on.
  const again = await box.execute("--task", "CRITERIA");
  expect([again.code, endOf(again.lines).tasks]).toEqual([0, { CRITERIA: "done" }]);
  expect((await box.execute("--task", "UNLOCKED")).code).toBe(0);
});

test.concurrent("a task in work is judged by its definition at the start", async ({ expect, onTestFinished }) => {
  const box = await pinned(onTestFinished, { stages: ["coder", "qa"], qa: { max_iterations: 1 } });
  box.write("spec.md", "# Demo\nthe text of the spec\n");
  expect((await box.ralph("spec", "create", "later", "--file", "spec.md")).code).toBe(0);
  await box.task("SELF", { coder: "test -f SELF.txt", qa: "test -f never.txt" }, "--priority", "2");
  await box.task("ROWLESS", { coder: "test -f ROWLESS.txt", qa: "test -f ROWLESS.txt" }, "--priority", "3");
  const made = ["task", "create", "TOLD", "later", "A title", "--outcome", "o", "--acceptance", "a"];
  expect(
    (
      await box.ralph(
        ...made,
        "--description",
        "as it was",
        "--coder-verify-cmd",
        "test -f TOLD.txt",
        "--qa-verify-cmd",
        "true",
      )
    ).code,
  ).toBe(0);
  box.plan(
    "SELF-coder",
    `echo work > SELF.txt
sql "UPDATE tasks SET completion_spec = replace(completion_spec, 'test -f never.txt', 'true') WHERE id = 'SELF'"
sql "UPDATE tasks SET description = 'INJECTED one', title = 'INJECTED two' WHERE id = 'TOLD'"
sql "UPDATE specs SET content = 'INJECTED three' WHERE id = 'later'"
echo '{"ralph": {"stages": ["coder"]}, "guardrails": ["false"]}' > "${box.cwd}/.ralph/settings.local.json"`,
  );
  box.plan(
    "ROWLESS-coder",
    `echo work > ROWLESS.txt; sql "DELETE FROM tasks WHERE id = 'ROWLESS'; DELETE FROM entries WHERE subject = 'task/ROWLESS'"`,
  );
  const prompt = join(box.cwd, "../prompt");
  box.plan("TOLD-coder", `printf '%s' "$prompt" > ${prompt}; echo work > TOLD.txt`);
  const { code, lines, stderr } = await box.execute();
  expect([code, stderr]).toEqual([1, ""]);
  expect(endOf(lines).tasks).toEqual({ A: "done", SELF: "blocked", ROWLESS: "done", TOLD: "done" });
  expect(box.calls()).toContain("TOLD qa");
  expect(box.read(prompt)).toContain("the text of the spec");
  expect(box.read(prompt)).toContain("as it was");
  expect(box.read(prompt)).not.toContain("INJECTED");
  expect(notes(lines, "SELF")).toContain(`was changed during this execution (criteria): ${LATER}`);
  expect(notes(lines, "TOLD")).toEqual([`was changed during this execution (title, description): ${LATER}`]);
  expect(notes(lines, null)).toEqual(
    expect.arrayContaining([
      `the spec later was changed during this execution: ${LATER}`,
      `.ralph/settings.local.json was changed during this execution: ${LATER}`,
    ]),
  );
  expect(await box.status("TOLD")).toMatchObject({ title: "INJECTED two", description: "INJECTED one" });
  // From now on its current definition applies, not the one its work started with, and that is reported.
  rmSync(box.path(".ralph/settings.local.json"));
  const again = await box.execute("--task", "SELF");
  expect(notes(again.lines, "SELF")).toEqual([
    expect.stringContaining("was changed since an execution last worked on it"),
  ]);
  expect(again.code).toBe(0);
});

/** Starts an execution, makes the user's changes while A is in work, and lets it end. */
async function meanwhile(box: PipelineSandbox, args: readonly string[], does: () => Promise<void>) {
  const [began, go] = [join(box.cwd, "../began"), join(box.cwd, "../go")];
  box.plan("A-coder", `echo work > A.txt; touch ${began}; until [ -f ${go} ]; do sleep 0.05; done`);
  const execution = box.start(["execute", "--json", ...args]);
  await execution.saw('"type":"turn.began"');
  await does();
  box.write(go, "");
  const { code, stdout, stderr } = await execution.ended;
  const lines = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  return { code, lines, stderr };
}

test.concurrent("the user's changes apply from the next start on, and harmless ones at once", async ({
  expect,
  onTestFinished,
}) => {
  const box = await pinned(onTestFinished);
  await box.task("TITLE", own("TITLE"), "--priority", "4");
  await box.task("FIRST", own("FIRST"), "--priority", "5");
  await box.task("DROP", own("DROP"), "--priority", "6");
  await box.task("GONE", own("GONE"), "--priority", "7");
  const { code, lines } = await meanwhile(box, [], async () => {
    const said = async (...args: string[]) => expect((await box.ralph("task", ...args)).code, args.join(" ")).toBe(0);
    await said("update", "TITLE", "--title", "Another title", "--coder-verify-cmd", "false");
    await said("update", "FIRST", "--priority", "2", "--assignee", "ada");
    await said("update", "DROP", "--status", "cancelled");
    await said("delete", "GONE");
    await box.task("NEW", own("NEW"), "--priority", "3");
  });
  expect(code).toBe(0);
  expect(endOf(lines).tasks).toEqual({ A: "done", FIRST: "done", NEW: "done", TITLE: "done", GONE: "done" });
  expect(box.calls()).toEqual(["A coder", "FIRST coder", "NEW coder", "TITLE coder", "GONE coder"]);
  expect(notes(lines, "TITLE")).toEqual([`was changed during this execution (title, criteria): ${LATER}`]);
  expect([...notes(lines, "FIRST"), ...notes(lines, "NEW"), ...notes(lines, "DROP")]).toEqual([]);
  expect(box.git("log", "--format=%s", "main")).toContain("Merge task/TITLE: Task TITLE");
  expect(await box.status("TITLE")).toMatchObject({ status: "done", title: "Another title" });
});

test.concurrent("--accept-changes applies them at once", async ({ expect, onTestFinished }) => {
  const box = await pinned(onTestFinished);
  await box.task("FAILS", { coder: "false" });
  await box.task("GONE", { coder: "false" });
  await box.task("LATE", { coder: "false" }, "--depends-on", "FAILS");
  const { code, lines } = await meanwhile(box, ["--accept-changes"], async () => {
    for (const args of [
      ["update", "FAILS", "--coder-verify-cmd", "test -f FAILS.txt"],
      ["delete", "GONE"],
      ["update", "LATE", "--no-depends-on", "--coder-verify-cmd", "test -f LATE.txt", "--priority", "1"],
    ])
      expect((await box.ralph("task", ...args)).code).toBe(0);
  });
  expect(code).toBe(0);
  expect(endOf(lines)).toMatchObject({ tasks: { A: "done", FAILS: "done", LATE: "done" }, changed: [] });
  expect(box.calls()).toEqual(["A coder", "LATE coder", "FAILS coder"]);
  const AT_ONCE = "the change applies immediately (--accept-changes)";
  expect(notes(lines, "FAILS")).toEqual([`was changed during this execution (criteria): ${AT_ONCE}`]);
  expect(notes(lines, "GONE")).toEqual([`was deleted during this execution: ${AT_ONCE}`]);
  expect((await box.ralph("task", "show", "GONE")).code).toBe(2);
});

test.concurrent("a deleted task that was not started is gone when the execution has ended", async ({
  expect,
  onTestFinished,
}) => {
  const box = await pinned(onTestFinished);
  await box.task("NEVER", { coder: "false" });
  await box.task("GONE", own("GONE"), "--depends-on", "NEVER");
  const { lines } = await meanwhile(box, [], async () => {
    expect((await box.ralph("task", "delete", "GONE")).code).toBe(0);
    await expect.poll(async () => (await box.ralph("task", "show", "GONE")).code).toBe(0);
  });
  expect(endOf(lines)).toMatchObject({
    tasks: { A: "done", NEVER: "blocked" },
    changed: [{ task: "GONE", what: "deleted" }],
  });
  expect((await box.ralph("task", "show", "GONE")).code).toBe(2);
});
