import { join } from "node:path";
import { test } from "vitest";
import { type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

const QUICK = { max_attempts: 1, max_rounds: 1, stages: ["coder"], coder: { max_iterations: 1 } };

function filing(finished: Finished): PipelineSandbox {
  const box = pipeline(finished, { ralph: QUICK });
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  box.program("specflow", `exec "${process.execPath}" "${join(box.ralphPath, "../specflow.js")}" "$@"`);
  return box;
}

const BARE = 'env -i PATH="$PATH" HOME="$HOME" RALPH_STATE_DIR="$RALPH_STATE_DIR"';
const WITH = "--outcome o --acceptance a";

test.concurrent("a task filed by an agent is proposed, and does not run until the user accepts it", async ({
  expect,
  onTestFinished,
}) => {
  const box = filing(onTestFinished);
  const ran = join(box.cwd, "../ran");
  const runs = (id: string) => `--coder-verify-cmd "echo ${id} >> ${ran}"`;
  await box.task("A", { coder: "test -f A.txt" });
  box.plan(
    "A-coder",
    `echo work > A.txt
(ralph task create P1 demo "By create" ${WITH} ${runs("P1")} --priority 1
ralph task followup P2 A "By followup" ${WITH} ${runs("P2")}
specflow task-followup P3 A "By specflow" ${WITH} ${runs("P3")}
printf -- '- id: P4\\n  title: By file\\n  spec_id: demo\\n  completion: {outcome: o, acceptance_criteria: [{text: a, check: "echo P4 >> ${ran}"}]}\\n' | ralph task create --file -
echo '- [ ] P5: By import' > ../list.md; ralph task import ../list.md --spec demo
${BARE} ralph task create P6 demo "Without its marker" ${WITH} ${runs("P6")}
(cd ${box.cwd}; ${BARE} ralph task create P7 demo "From the checkout" ${WITH} ${runs("P7")} --depends-on A)
ralph task accept P1 --yes; ralph task update P1 --status todo; ralph task create A demo "Again" ${WITH}
ralph spec create demo --title "Taken over") > ../said 2>&1`,
  );
  const first = await box.ralph("execute");
  expect(first.code).toBe(0);
  const said = box.read(`${box.worktree("x")}/../said`);
  expect(said.match(/Created P\d in demo: .* \(proposed: it does not run until the user accepts it\)/g)).toHaveLength(
    5,
  );
  expect(said).toContain("only the user may run ralph task accept");
  expect(said).toContain("the task already exists: A");
  expect(said).toContain("only the user may run ralph spec create for an existing spec");
  expect(first.stderr).toContain("✓ all done: 1 done, 7 proposed");
  expect(first.stderr).toContain("ralph task list --status proposed (7 wait until you accept them)");
  const proposed = (await box.json("task", "list", "--status", "proposed")) as { id: string }[];
  expect(proposed.map(({ id }) => id).sort()).toEqual(["P1", "P2", "P3", "P4", "P5", "P6", "P7"]);
  expect(await box.json("task", "list", "--ready")).toEqual([]);
  // Neither by its name, nor by a retry, nor after cancelling it.
  expect(await box.ralph("execute", "--task", "P1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("ralph task accept P1"),
  });
  expect((await box.ralph("task", "update", "P1", "--status", "todo")).code).toBe(2);
  for (const status of ["cancelled", "todo"]) await box.ralph("task", "update", "P2", "--status", status);
  expect((await box.status("P2")).status).toBe("proposed");
  expect((await box.ralph("execute")).code).toBe(0);
  expect(box.calls()).toEqual(["A coder"]);
  expect(box.exists(ran)).toBe(false);
  // Once accepted they are ordinary tasks; a proposal can be dropped.
  expect(await box.ralph("task", "accept", "P1")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/cannot ask whether these tasks may run[\s\S]*--yes/),
  });
  const accepted = (await box.json("task", "accept", "P1", "P4", "--yes")) as { accepted: object[] };
  expect(accepted.accepted).toMatchObject([
    { id: "P1", status: "todo", commands: [`echo P1 >> ${ran}`] },
    { id: "P4", status: "todo", commands: [`echo P4 >> ${ran}`] },
  ]);
  expect((await box.ralph("task", "accept", "P1", "--yes")).code).toBe(2);
  expect((await box.ralph("task", "delete", "P2", "P3")).code).toBe(0);
  await box.execute("--task", "P1");
  expect((await box.status("P1")).status).toBe("done");
  expect(new Set(box.read(ran).trim().split("\n"))).toEqual(new Set(["P1"]));
});

test.concurrent("the user reviews a proposal on a terminal, and decides", async ({ expect, onTestFinished }) => {
  const box = filing(onTestFinished);
  await box.task("A", { coder: "test -f A.txt" });
  box.plan(
    "A-coder",
    `echo work > A.txt; for id in YES NO; do ralph task create $id demo "Title $id" --outcome "o $id" --acceptance "a $id" --coder-verify-cmd "make $id"; done > /dev/null`,
  );
  expect((await box.execute()).code).toBe(0);
  const asked = box.terminal(["task", "accept", "YES", "NO"]);
  await asked.saw("Accept YES? [y/N]");
  asked.child.stdin?.write("y\n");
  await asked.saw("Accept NO? [y/N]");
  asked.child.stdin?.write("n\n");
  const { code, stdout } = await asked.ended;
  expect(code).toBe(1);
  for (const words of ["Title YES", "o YES", "a YES", "It would run", "make YES", "proposed by", "Accepted YES"])
    expect(stdout).toContain(words);
  expect([(await box.status("YES")).status, (await box.status("NO")).status]).toEqual(["todo", "proposed"]);
});

test.concurrent("tasks filed by users are ordinary, while agents work and beside proposals", async ({
  expect,
  onTestFinished,
}) => {
  const box = filing(onTestFinished);
  const [began, go] = [join(box.cwd, "../began"), join(box.cwd, "../go")];
  await box.task("A", { coder: "test -f A.txt" });
  await box.task("WAITS", { coder: "test -f WAITS.txt" }, "--depends-on", "A");
  box.plan(
    "A-coder",
    `echo work > A.txt; ralph task create P demo "Proposed" ${WITH} > /dev/null; touch ${began}; until [ -f ${go} ]; do sleep 0.05; done`,
  );
  const execution = box.start(["execute", "--json"]);
  await expect.poll(() => box.exists(began)).toBe(true);
  await box.task("MINE", { coder: "test -f MINE.txt" });
  expect(
    (
      await box.ralph(
        "task",
        "followup",
        "MINE-2",
        "MINE",
        "More",
        "--no-criteria",
        "--coder-verify-cmd",
        "test -f MINE-2.txt",
      )
    ).code,
  ).toBe(0);
  // Mine waits for a proposal, until I accept that.
  await box.task("BEHIND", { coder: "test -f BEHIND.txt" }, "--depends-on", "P");
  box.write("todo.md", "- [ ] LISTED-1: Listed\n");
  expect((await box.ralph("task", "import", "todo.md", "--spec", "other")).code).toBe(0);
  box.write(go, "");
  const { stdout } = await execution.ended;
  const end = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as { tasks: object; left: object[] };
  expect(end.tasks).toMatchObject({ A: "done", WAITS: "done", MINE: "done", "MINE-2": "done" });
  expect(end.left).toContainEqual({ task: "BEHIND", why: "waits for P (proposed)" });
  expect(end.tasks).toHaveProperty("LISTED-1");
  expect([(await box.status("P")).status, (await box.status("BEHIND")).status]).toEqual(["proposed", "todo"]);
});
