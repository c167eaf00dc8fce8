import { afterAll, beforeAll, expect, test } from "vitest";
import type { BoardView } from "../src/core/view/board.ts";
import type { LoopPage } from "../src/core/view/loop-page.ts";
import type { TaskPage } from "../src/core/view/task-page.ts";
import { filesOfDiff } from "../src/faces/web/parts/diff-lines.ts";
import { logIn, secretsOf } from "./support/browser-session.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { bare, type Serving, serving } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: Sandbox;
let server: Serving;

beforeAll(async () => {
  box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  box.initGit();
  box.program("later", "test -f tried && echo x > made; touch tried; echo '<promise>COMPLETE</promise>'");
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
    ...{ prompt: "make it", earlier: 0, receipt: true, damage: "" },
    baseline: [{ name: "test -f made", tone: "bad", words: "failed: exit code 1" }],
  });
  expect(page.timeline.map(({ n, phases }) => [n, ...phases.map(({ name, tone }) => `${name} ${tone}`)])).toEqual([
    [1, "claim good", "guards good", "verdict bad"],
    [2, "claim good", "guards good", "verdict good"],
  ]);
});

test("of a long journal, the newest attempts are read", async () => {
  const newest = (await server.get("/api/view/loops/last?limit=1")) as LoopPage;
  expect([newest.timeline.map(({ n }) => n), newest.earlier]).toEqual([[2], 1]);
});

test("a task's page: criteria, stages, what it waits for and what to type next", async () => {
  const page = (await server.get("/api/view/tasks/T-1")) as TaskPage;
  expect(page).toMatchObject({
    card: { id: "T-1", lane: "todo", badge: "ready" },
    ...{ outcome: "made", decides: "decides next", decided: "an execution has to take it", next: "ralph execute" },
    criteria: [{ text: "it is there", is: "open" }],
    stages: ["coder", "reviewer", "tester", "qa"].map((role) => ({ role, is: "next" })),
  });
  expect(await server.get("/api/view/tasks/T-2")).toMatchObject({
    card: { badge: "after T-1", waitsFor: ["T-1"] },
    dependencies: [{ id: "T-1", title: "Make it", status: "todo" }],
  });
});

test("everything at a glance, and what changes, in one stream", async () => {
  const view = (await server.get("/api/view")) as BoardView;
  expect(view.cards.map(({ id }) => id)).toEqual(["T-1", "T-2"]);
  expect(view.loops).toMatchObject([{ badge: "✓ verified" }]);
  const quit = new AbortController();
  const response = await fetch(`${server.url}/api/live`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: quit.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (wanted: RegExp) => {
    while (!wanted.test(text)) text += (await reader.read()).value ?? "";
  };
  await until(/^event: view\n/m);
  await box.ralph("task", "create", "T-3", "site", "Last", "--no-criteria");
  await until(/^event: change\ndata: .*"T-3"/m);
  quit.abort();
});

test("what a loop and its iterations have changed; of tests alone, nothing here", async () => {
  const whole = await server.get("/api/loops/last/diff");
  expect(whole).toMatchObject({
    files: [
      { path: "made", status: "added", decides: null, added: 1, removed: 0 },
      { path: "tried", status: "added" },
    ],
    patch: expect.stringContaining("+++ b/made\n"),
    truncated: false,
  });
  expect(await server.get("/api/loops/last/diff?iteration=1")).toMatchObject({ files: [{ path: "tried" }] });
  expect(await server.get("/api/loops/last/diff?tests=true")).toMatchObject({ files: [], patch: "" });
  expect(await server.ask("GET", "/api/loops/last/diff?iteration=9")).toMatchObject({ status: 404 });
  // No agent has worked on it.
  expect(await server.ask("GET", "/api/tasks/T-1/diff")).toMatchObject({ status: 404 });
});

test("a diff keeps characters that hide, which the page writes out, but not secrets for viewers", async () => {
  const own = sandbox((cleanUp) => cleanUps.push(cleanUp));
  own.initGit();
  own.write("ends.txt", "a\r\n");
  own.git("add", "--all");
  own.git("commit", "--quiet", "-m", "start");
  own.program(
    "agent",
    String.raw`printf 'a\n' > ends.txt; printf 'x\342\200\256y\033[31msk-%s\n' 12345678 > "$(printf 'n\342\200\256m')"
echo '<promise>DONE</promise>'`,
  );
  await own.ralph("run", "--agent", "agent", "--prompt", "x", "-c", "DONE");
  const other = await serving(own);
  try {
    const path = "/api/loops/last/diff";
    const { files, patch } = (await other.get(path)) as { files: { path: string }[]; patch: string };
    expect(files.map((file) => file.path)).toEqual(["ends.txt", "n\u202em"]);
    expect(patch).toContain("-a\r\n+a\n");
    expect(patch).toContain("+x\u202ey\u001b[31msk-12345678\n");
    const [ends, hidden] = filesOfDiff(patch);
    expect(ends?.lines.map(({ text }) => text)).toEqual(["@@ -1 +1 @@", "a␍", "a"]);
    expect([hidden?.path, hidden?.lines.at(-1)?.text]).toEqual(["n<U+202E>m", "x<U+202E>y␛[31msk-12345678"]);
    const viewer = await bare(other.url, path, { headers: secretsOf(await logIn(other, true)) });
    expect(JSON.parse(viewer.body).patch).toContain("+x\u202ey\u001b[31m***\n");
    // What a program prints on a terminal does nothing there.
    expect(viewer.body).not.toMatch(/[\p{Cc}\u202e]/u);
  } finally {
    await other.stop();
  }
});

test("pages of nothing are refused", async () => {
  for (const path of ["/api/view/loops/abcd", "/api/view/tasks/T-9"])
    expect(await server.ask("GET", path)).toMatchObject({ status: 404 });
  expect(await server.ask("GET", "/api/view/loops/last?after=x")).toMatchObject({ status: 400 });
});
