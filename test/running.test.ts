import { test } from "vitest";
import { full } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

/** Starts a loop whose agent prints a word and then hangs. */
async function hanging(box: Sandbox, prompt: string) {
  box.write("hang.yaml", "iterations:\n  - steps: [{ say: ready }, { hang: true }]\n");
  const before = ((await box.json("list")) as { id: string }[]).map(({ id }) => id);
  const run = box.start(["run", "--prompt", prompt, "--scenario", "hang.yaml", "--force"]);
  await run.saw("ready");
  const now = (await box.json("list")) as { id: string }[];
  return { run, id: now.find(({ id }) => !before.includes(id))?.id ?? "" };
}

test.concurrent("a command without a name means the loop that runs", async ({ expect, onTestFinished }) => {
  const box = sandbox(onTestFinished);
  const { run, id } = await hanging(box, "The long one");
  box.program("agent", "echo '<promise>DONE</promise>'");
  await box.ralph("run", "--prompt", "The short one", "--agent", "agent", "-q", "--force");
  for (const command of ["why", "logs"]) {
    const { code, stdout, stderr } = await box.ralph(command);
    expect({ code, stderr }, command).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(command === "why" ? `The long one (loop ${id},` : "ready");
  }
  expect(await box.ralph("cancel")).toMatchObject({
    code: 0,
    stdout: `Cancelled Ralph loop ${id} during iteration 1 of 10\n`,
  });
  expect((await run.ended).code).toBe(130);
  // Nothing runs now: these show the last loop, and there is nothing to cancel.
  const why = await box.ralph("why");
  expect(why.stderr).toBe("");
  expect(why.stdout).toContain("The short one");
  for (const args of [["cancel"], ["cancel", "--all"]]) {
    const { code, stdout, stderr } = await box.ralph(...args);
    expect([code, stdout]).toEqual([1, "Nothing is running here.\n"]);
    expect(stderr).toBe("  next: ralph list shows the loops that stopped\n");
  }
  expect(await box.json("cancel", "--all")).toEqual([]);
});

test.concurrent("several that run are listed, and --all cancels them", async ({ expect, onTestFinished }) => {
  const box = sandbox(onTestFinished);
  const [one, two] = [await hanging(box, "Make the tests pass"), await hanging(box, "Add a CSV export")];
  for (const args of [["why"], ["logs", "-f"], ["diff"], ["cancel"]]) {
    const { code, stdout, stderr } = await box.ralph(...args);
    expect({ code, stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
    const lines = stderr.split("\n");
    expect(lines[0]).toBe("error: 2 run here, name one of them:");
    expect(lines[1]).toMatch(new RegExp(`^ {2}${two.id} {2}Add a CSV export \\(since \\d+\\w ago, in ${box.cwd}\\)$`));
    expect(lines[2]).toContain(`${one.id}  Make the tests pass`);
    expect(lines[3]).toContain(`help: \`ralph ${args.join(" ")} ${two.id}\``);
  }
  const both = await box.ralph("cancel", one.id, "--all");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("use one of them")]);
  const { code, stdout } = await box.ralph("cancel", "--all");
  expect(code).toBe(0);
  for (const { run, id } of [one, two]) {
    expect(stdout).toContain(`Cancelled Ralph loop ${id} during iteration 1 of 10\n`);
    expect((await run.ended).code).toBe(130);
  }
  await expectNothingLeft(box);
});

test.concurrent("cancel stops an execution, whose tasks the next one continues", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { graceMs: 300, ralph: { stages: ["coder"] } });
  for (const id of ["A", "B", "C"]) await box.task(id, { coder: `test -f ${id}.txt` });
  box.plan("coder", "sleep 600");
  const running = box.start(["execute", "--max-parallel", "2"]);
  await running.saw(/A coder:.*iteration/);
  await running.saw(/B coder:.*iteration/);
  const logs = await box.ralph("logs");
  expect(logs.code).toBe(2);
  expect(logs.stderr).toMatch(/^error: 2 run here.*\n {2}[AB] {2}task: Task [AB] \(since .*\n {2}[AB] {2}task/);
  const { code, stdout } = await box.ralph("cancel");
  expect(stdout).toMatch(/^Cancelled execution \w{8}: the next `ralph execute` continues A, B\n$/);
  expect(code).toBe(0);
  const end = await running.ended;
  expect([end.code, end.stderr]).toEqual([130, expect.stringMatching(/interrupted \(ralph cancel \(pid \d+\)\)/)]);
  await expectNothingLeft(box);
  expect(await Promise.all(["A", "B", "C"].map(box.status))).toMatchObject([
    { status: "implementing", held: false },
    { status: "implementing", held: false },
    { status: "todo", held: false },
  ]);
  box.plan("coder", "touch $task.txt");
  expect((await box.execute()).code).toBe(0);
});

full.concurrent("work whose driver was killed is cancelled without a name too", async ({ expect, onTestFinished }) => {
  const box = sandbox(onTestFinished);
  const loops = [await hanging(box, "One"), await hanging(box, "Two")];
  for (const { run } of loops) {
    run.child.kill("SIGKILL");
    await run.ended;
  }
  const several = await box.ralph("cancel");
  expect([several.code, several.stderr]).toEqual([2, expect.stringMatching(/^error: 2 have not ended, although/)]);
  expect((await box.ralph("cancel", "--all")).stderr).toMatch(/^ {2}next: ralph cancel \w+/);
  for (const { id } of loops.slice(0, 1)) await box.ralph("cancel", id);
  expect((await box.ralph("cancel")).stdout).toMatch(/^Cancelled Ralph loop/);
});
