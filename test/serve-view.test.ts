import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoopPage } from "../src/core/view/loop-page.ts";
import type { TaskPage } from "../src/core/view/task-page.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { type Serving, serving } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: Sandbox;
let server: Serving;

beforeAll(async () => {
  box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  box.initGit();
  box.program("later", "test -f tried && touch made; touch tried; echo '<promise>COMPLETE</promise>'");
  await box.ralph("run", "--agent", "later", "-c", "COMPLETE", "--prompt", "make it", "--verify", "test -f made");
  await box.ralph("task", "create", "T-1", "site", "Make it", "--outcome", "made", "--acceptance", "it is there");
  await box.ralph("task", "create", "T-2", "site", "Then", "--no-criteria", "--depends-on", "T-1");
  server = await serving(box);
});

afterAll(async () => {
  await server?.stop();
  for (const cleanUp of cleanUps) cleanUp();
});

test("a loop's page: every iteration with what decided it", async () => {
  const page = (await server.get("/api/view/loops/last")) as LoopPage;
  expect(page).toMatchObject({
    line: { status: "stopped", reason: "verified", tone: "good", badge: "✓ verified", driven: false },
    ended: expect.stringMatching(/^✓ verified, 2 iterations, /),
    decided: expect.stringMatching(/^failed before the work, passes now: test -f made/),
    ...{ prompt: "make it", earlier: 0, later: 0, receipt: true, damage: "" },
    baseline: [{ name: "test -f made", tone: "bad", words: "failed: exit code 1" }],
  });
  expect(page.timeline.map(({ n, phases }) => [n, ...phases.map(({ name, tone }) => `${name} ${tone}`)])).toEqual([
    [1, "claim good", "guards good", "verdict bad"],
    [2, "claim good", "guards good", "verdict good"],
  ]);
});

test("a long journal is read in stretches", async () => {
  const newest = (await server.get("/api/view/loops/last?limit=1")) as LoopPage;
  expect([newest.timeline.map(({ n }) => n), newest.earlier, newest.later]).toEqual([[2], 1, 0]);
  const first = (await server.get("/api/view/loops/last?after=0&limit=1")) as LoopPage;
  expect([first.timeline.map(({ n }) => n), first.earlier, first.later]).toEqual([[1], 0, 1]);
});

test("a task's page: criteria, stages, what it waits for and what to type next", async () => {
  const page = (await server.get("/api/view/tasks/T-1")) as TaskPage;
  expect(page).toMatchObject({
    card: { id: "T-1", lane: "todo", badge: "ready" },
    ...{ outcome: "made", stands: "… todo", decided: "an execution has to take it", next: "ralph execute" },
    criteria: [{ text: "it is there", is: "open" }],
    stages: ["coder", "reviewer", "tester", "qa"].map((role) => ({ role, is: "next" })),
  });
  expect(await server.get("/api/view/tasks/T-2")).toMatchObject({
    card: { badge: "after T-1", waitsFor: ["T-1"] },
    dependencies: [{ id: "T-1", title: "Make it", status: "todo" }],
  });
});

test("pages of nothing are refused", async () => {
  for (const path of ["/api/view/loops/abcd", "/api/view/tasks/T-9"])
    expect(await server.ask("GET", path)).toMatchObject({ status: 404 });
  expect(await server.ask("GET", "/api/view/loops/last?after=x")).toMatchObject({ status: 400 });
});
