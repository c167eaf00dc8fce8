import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { linesOf } from "./support/json-lines.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { type Running, type Sandbox, sandbox } from "./support/sandbox.ts";

full("eight loops at once in one folder", async () => {
  const box = sandbox();
  box.program("agent", `[ "$RALPH_ITERATION" -lt 3 ] || echo '<promise>DONE</promise>'`);
  const runs = Array.from({ length: 8 }, () =>
    box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true", "--force", "--json"),
  );
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", reason: "still-green", iterations: 3 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  expect(await box.json("list")).toHaveLength(8);
  expect((await box.ralph("doctor")).stdout).toMatch(/intact, schema \d+, 8 loops/);
});

async function running(): Promise<{ box: Sandbox; run: Running; id: string }> {
  const box = sandbox();
  box.write(
    "hang.yaml",
    "iterations:\n  - steps: [{ say: ready }, { fork: sleep 300 }, { hang: true }]\n    retry: [{ say: <promise>DONE</promise> }]\n",
  );
  const run = box.start(["run", "--prompt", "x", "--scenario", "hang.yaml"]);
  await run.saw("ready");
  const [loop] = (await box.json("list")) as { id: string; held: boolean }[];
  expect(loop).toMatchObject({ held: true });
  return { box, run, id: loop?.id ?? "" };
}

test("a loop that runs elsewhere cannot be resumed, but cancelled", async () => {
  const { box, run, id } = await running();
  const resumed = await box.ralph("resume", id);
  expect(resumed.stderr).toMatch(
    new RegExp(`^error: loop ${id} is being driven by pid ${run.child.pid} on .*\\n {2}help: .*ralph cancel ${id}`),
  );
  expect(resumed.code).toBe(1);

  const cancelled = await box.ralph("cancel", id);
  const end = await run.ended;
  expect(cancelled).toMatchObject({
    code: 0,
    stdout: `Cancelled Ralph loop ${id} during iteration 1 of 10\n`,
    stderr: `  next: ralph resume ${id}\n`,
  });
  expect(end.stderr).toMatch(/■ cancelled: by ralph cancel \(pid \d+\)/);
  expect(end.code).toBe(130);
  await expectNothingLeft(box);

  const again = await box.ralph("cancel", id);
  expect(again).toMatchObject({ code: 1, stdout: `Loop ${id} had already stopped: cancelled\n` });
  expect((await box.ralph("resume", id)).code).toBe(0);
});

test("a loop whose driver was killed can be cancelled", async () => {
  const { box, run, id } = await running();
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await box.ralph("status")).stdout).toContain(id);
  expect((await box.ralph("cancel", id)).code).toBe(0);
  expect(await box.json("status", id)).toMatchObject({ status: "stopped", reason: "cancelled" });
  await expectNothingLeft(box);
});
