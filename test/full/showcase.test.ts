import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TaskStatus } from "../../src/core/task/task.ts";
import { LANE_OF, LANES } from "../../src/core/view/lanes.ts";
import { sandbox } from "../support/sandbox.ts";
import { bulk } from "../support/showcase/bulk.ts";
import { showcase } from "../support/showcase.ts";

test("the showcase has a task in every lane, agents at work, and every level of proof", async () => {
  const box = sandbox();
  const show = await showcase(join(box.cwd, "show"), { live: true, hostile: true });
  onTestFinished(() => show.stop());
  const tasks = JSON.parse(show.ralph("task", "list", "--json")) as { id: string; status: TaskStatus }[];
  expect(new Set(tasks.flatMap(({ status }) => LANE_OF[status] ?? []))).toEqual(new Set(LANES));
  const loops = JSON.parse(show.ralph("list", "--json", "-n", "100")) as { status: string; reason: string | null }[];
  const reasons = loops.map(({ status, reason }) => reason ?? status);
  expect(reasons).toEqual(
    expect.arrayContaining([
      "running",
      "verified",
      "judged",
      "still-green",
      "promise-only",
      "iteration-limit",
      "faults-found",
    ]),
  );
  show.go();
  await show.until("SHIP-1 done", () => JSON.parse(show.ralph("task", "show", "SHIP-1", "--json")).status === "done");
});

test("many tasks and loops are there at once, and the driven ones proceed", async () => {
  const box = sandbox();
  box.initGit();
  const many = await bulk(box, { tasks: 20, loops: 12, live: 3 });
  onTestFinished(() => many.close());
  expect(await box.json("task", "list")).toHaveLength(20);
  const running = (await box.json("status")) as { id: string }[];
  expect(running.map(({ id }) => id).sort()).toEqual([...many.live].sort());
  const [first = ""] = many.live;
  expect(await many.append(first)).toBe(3);
});
