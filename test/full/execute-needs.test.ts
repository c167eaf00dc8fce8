import { test } from "vitest";
import { factsOf, type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

/** Coders only, with one attempt each. */
function building(finished: Finished, settings: object = {}): PipelineSandbox {
  const box = pipeline(finished, {
    ...settings,
    ralph: { stages: ["coder"], max_attempts: 1, max_rounds: 1, coder: { max_iterations: 2 } },
  });
  box.write("keep/here", "");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "a folder");
  return box;
}

/** Work that passes its own check and breaks another task's. */
const BREAKS: Record<string, { first: string; does: string; needs?: string }> = {
  OVERWRITES: { first: "grep -q base base-OVERWRITES.txt", does: "echo other > base-OVERWRITES.txt" },
  DELETES: { first: "test -f base-DELETES.txt", does: "rm base-DELETES.txt" },
  RENAMES: { first: "test -f base-RENAMES.txt", does: "git mv base-RENAMES.txt moved.txt" },
  EXTENDS: { first: "test $(wc -l < base-EXTENDS.txt) = 1", does: "echo more >> base-EXTENDS.txt" },
  ELSEWHERE: { first: "test ! -e forbidden", does: "touch forbidden" },
  FAR: { first: "grep -q base base-FAR.txt", does: "echo other > base-FAR.txt", needs: "MID-FAR" },
};

test.concurrent("a task that breaks its dependency is not merged, and the finding names the broken task", async ({
  expect,
  onTestFinished,
}) => {
  const box = building(onTestFinished);
  for (const [id, { first, does, needs = `BASE-${id}` }] of Object.entries(BREAKS)) {
    // In another spec than the task that needs it.
    await box.ralph("spec", "create", `spec-${id}`, "--title", "x");
    await box.task(`BASE-${id}`, { coder: first });
    box.plan(`BASE-${id}-coder`, `echo base > base-${id}.txt`);
    if (needs.startsWith("MID")) await box.task(needs, { coder: `test -f ${needs}.txt` }, "--depends-on", `BASE-${id}`);
    await box.task(id, { coder: `test -f ${id}.txt` }, "--depends-on", needs);
    box.plan(`${id}-coder`, `echo "work $n" > ${id}.txt; [ "$n" -gt 1 ] || { ${does}; }`);
  }
  const { lines } = await box.execute("--max-parallel", "2");
  for (const id of Object.keys(BREAKS)) {
    const refused = lines.filter(({ task, event }) => task === id && event?.type === "merge.refused");
    expect(refused, id).toHaveLength(2);
    expect(JSON.stringify(refused[0]), id).toContain(`a check of BASE-${id}, which is already merged`);
    expect(JSON.stringify(refused[0]), id).toContain(`ralph task update BASE-${id}`);
    expect((await box.status(id)).status, id).toBe("blocked");
    expect((await box.status(`BASE-${id}`)).status, id).toBe("done");
  }
});

test.concurrent("a task may not change the check scripts of its dependency", async ({ expect, onTestFinished }) => {
  const box = building(onTestFinished);
  box.write("base.sh", "grep -q base base.txt\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "a script");
  await box.task("BASE", { coder: "sh base.sh" });
  await box.task("SLY", { coder: "test -f SLY.txt" }, "--depends-on", "BASE");
  box.plan("BASE-coder", "echo base > base.txt");
  box.plan("SLY-coder", "echo work > SLY.txt; echo other > base.txt; echo true > base.sh");
  const { lines } = await box.execute();
  expect(lines.at(-1)?.tasks).toEqual({ BASE: "done", SLY: "blocked" });
  expect(await box.status("SLY")).toMatchObject({
    metadata: { ralph_failure: { reason: expect.stringContaining("tampered: base.sh") } },
  });
});

test.concurrent("changing a dependency's check lets the user unblock the task", async ({ expect, onTestFinished }) => {
  const box = building(onTestFinished);
  await box.task("BASE", { coder: "grep -q base base.txt" });
  await box.task("NEXT", { coder: "grep -q next base.txt" }, "--depends-on", "BASE");
  box.plan("BASE-coder", "echo base > base.txt");
  box.plan("NEXT-coder", 'echo next > base.txt; echo "$n" > NEXT.txt');
  expect((await box.execute()).lines.at(-1)?.tasks).toEqual({ BASE: "done", NEXT: "blocked" });
  expect((await box.ralph("task", "update", "BASE", "--coder-verify-cmd", "test -f base.txt")).code).toBe(0);
  expect((await box.execute("--task", "NEXT")).lines.at(-1)?.tasks).toEqual({ NEXT: "done" });
});

test.concurrent("the same command runs once; another folder or environment makes another command", async ({
  expect,
  onTestFinished,
}) => {
  const box = building(onTestFinished);
  const runs = `${box.cwd}/../runs`;
  box.write("named.sh", `echo "named $RALPH_TASK_ID" >> "${runs}"\n`);
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "a script");
  const criteria = (config: object) => {
    box.write("../criteria.json", JSON.stringify({ verification_method: "external", verification_config: config }));
    return ["--coder-criteria-file", "../criteria.json"];
  };
  const same = { command: `echo "same $(basename $PWD) $X" >> "${runs}"` };
  const named = { command: "sh named.sh" };
  await box.task("A", {}, ...criteria(same));
  await box.task("B", {}, "--depends-on", "A", ...criteria({ ...same, working_dir: "keep", timeout: 7 }));
  await box.task("C", {}, "--depends-on", "B", ...criteria({ ...same, env: { X: "x" } }));
  await box.task("D", {}, "--depends-on", "C", ...criteria(named));
  await box.task("E", {}, "--depends-on", "A", "--depends-on", "D", ...criteria(named));
  await box.task("F", {}, "--depends-on", "E", ...criteria(same));
  expect((await box.execute("--max-parallel", "1")).code).toBe(0);
  const all = box.read(runs).trim().split("\n");
  // Before its merge: its own command, which A shares, and then those of the nearest tasks first.
  expect(all.slice(-5).map((line) => line.trim())).toEqual(["same F", "named E", "named D", "same F x", "same keep"]);
});

test.concurrent("a dependency without a command adds no check", async ({ expect, onTestFinished }) => {
  const box = building(onTestFinished);
  await box.task("OLD", {}, "--coder-verify", "string_match");
  await box.task("NEW", { coder: "test -f NEW.txt" }, "--depends-on", "OLD");
  const { lines } = await box.execute();
  expect(lines.at(-1)?.tasks).toEqual({ OLD: "done", NEW: "done" });
  expect(factsOf(lines, "NEW")).not.toContain("merge.refused");
});
