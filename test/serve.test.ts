import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inWorkspace } from "../src/adapters/store/workspace.ts";
import type { FeedEntry } from "../src/core/feed.ts";
import { shownEntry } from "../src/core/redact.ts";
import { PATIENT } from "./support/patience.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { loopWorkflow, OPERATIONS, readEvents, type Serving, seen, serving } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: Sandbox;
let server: Serving;

beforeAll(async () => {
  box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  box.initGit();
  box.program("tiny", 'echo "$RALPH_RUN" >> worked; echo "Done. <promise>COMPLETE</promise>"');
  box.program(
    "patient",
    'echo "at it"; while [ ! -f release ]; do sleep 0.05; done; echo x >> worked; echo "<promise>COMPLETE</promise>"',
  );
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "tiny", "  verify: [test -f README]\n"));
  box.write(".ralph/workflows/slow.yaml", loopWorkflow("slow", "patient"));
  box.write(".ralph/workflows/broken.yaml", "name: broken\n");
  await box.ralph("spec", "create", "site", "--title", "The site");
  await box.ralph("task", "create", "T-1", "site", "Make it", "--outcome", "made", "--acceptance", "it is there");
  // One proven loop, so that there is a receipt.
  box.write("README", "hello\n");
  box.program("later", "test -f made && echo '<promise>COMPLETE</promise>'; touch made");
  await box.ralph("run", "--agent", "later", "-c", "COMPLETE", "--prompt", "make it", "--verify", "test -f made");
  server = await serving(box, ["--max-parallel", "2"]);
});

afterAll(async () => {
  await server?.stop();
  for (const cleanUp of cleanUps) cleanUp();
});

interface Message {
  role: string;
  content: string;
  at: string;
}

test("the documented session: a message starts a workflow, and the conversation reports its progress", async () => {
  const sent = await server.ask("POST", "/test/message", { conversationId: "test-ralph", message: "run ralph" });
  expect(sent).toMatchObject({ status: 202, body: { conversationId: "test-ralph", runId: expect.any(String) } });
  await server.talkUntil("test-ralph", /^\*\*Loop complete\*\*/);
  const { messages } = (await server.get("/test/messages/test-ralph")) as { messages: Message[] };
  expect(messages.map(({ role, content }) => [role, content.split("\n")[0]])).toEqual([
    ["user", "run ralph"],
    ["system", "**Iteration 1/5**"],
    ["assistant", "Done. <promise>COMPLETE</promise>"],
    ["system", "**Loop complete**: ralph (1 iterations)"],
  ]);
});

test("every operation answers as its schema says", async () => {
  // A loop reports its end before its run does.
  const run = await until(async () => {
    const { runs } = (await server.get("/api/runs?limit=1&status=completed")) as { runs: { id: string }[] };
    return runs[0]?.id ?? null;
  });
  await until(async () => ((await server.get("/api/status")) as { running: number }).running === 0 || null);
  const shown = (await server.get(`/api/runs/${run}`)) as { status: string; loops: { id: string; held: boolean }[] };
  // The README existed before.
  const proof = "still-green";
  expect(shown).toMatchObject({ status: "completed", proof, loops: [{ status: "stopped", reason: proof, proof }] });
  const loop = shown.loops[0]?.id;
  expect(await server.get(`/api/loops/${loop}`)).toMatchObject({ reason: proof, proof, weak: [], held: false });
  expect(await server.get(`/api/loops/${loop}/story`)).toMatchObject({ reason: proof, proof, weak: [] });
  const kept = (await server.get("/api/receipts")) as { receipts: object[] };
  expect(kept.receipts).toContainEqual(expect.objectContaining({ loop, proof, weak: [] }));
  expect(kept.receipts).toContainEqual(expect.objectContaining({ proof: "verified" }));
  const { attempts } = (await server.get(`/api/loops/${loop}/attempts`)) as { attempts: { bytes: number }[] };
  expect(attempts).toEqual([{ iteration: 1, attempt: 1, bytes: "Done. <promise>COMPLETE</promise>\n".length }]);
  expect(await server.get(`/api/loops/${loop}/attempts/1/1?limit=4`)).toMatchObject({ text: "Done", next: 4 });
  expect(await server.get(`/api/loops/${loop}/attempts/1/1?after=4`)).toMatchObject({ next: null });
  const first = (await server.get(`/api/loops/${loop}/entries?limit=2`)) as { entries: unknown[]; next: number };
  expect(first.entries).toHaveLength(2);
  const rest = (await server.get(`/api/loops/${loop}/entries?after=${first.next}`)) as { entries: { seq: number }[] };
  expect(rest.entries[0]?.seq).toBe(3);
  const why = await box.json("why", String(loop));
  expect(await server.get(`/api/loops/${loop}/story`)).toEqual(why);
  const { loops } = (await server.get("/api/loops?limit=500")) as { loops: { id: string }[] };
  expect(loops).toEqual(await box.json("list"));
  expect(await server.get(`/api/loops/${loop}`)).toMatchObject({
    id: loop,
    state: { n: 1 },
    spec: { title: expect.any(String) },
  });
  expect(await server.get(`/api/runs/${run}/entries`)).toMatchObject({ next: null });
  expect(await server.get("/api/tasks?spec=site&ready=true")).toEqual({ tasks: await box.json("task", "list") });
  expect(await server.get("/api/tasks/T-1")).toEqual(await box.json("task", "show", "T-1"));
  expect(await server.post("/api/tasks/T-1/cancel")).toMatchObject({ cancelled: false, status: "todo" });
  expect(await server.get("/api/specs")).toEqual({ specs: await box.json("spec", "list") });
  expect(await server.get("/api/specs/site")).toEqual(await box.json("spec", "show", "site"));
  const { receipts } = (await server.get("/api/receipts")) as { receipts: { loop: string; intact: boolean }[] };
  expect(receipts.every(({ intact }) => intact)).toBe(true);
  const receipt = await server.get(`/api/receipts/${receipts[0]?.loop}`);
  expect(receipt).toEqual(await box.json("receipt", "show", String(receipts[0]?.loop)));
  const receiptFile = resolve(box.cwd, `.ralph/receipts/${receipts[0]?.loop}.json`);
  rmSync(receiptFile);
  // Reading over HTTP writes nothing into the checkout; the command does.
  expect(await server.get(`/api/receipts/${receipts[0]?.loop}`)).toEqual(receipt);
  expect(existsSync(receiptFile)).toBe(false);
  expect(await box.json("receipt", "show", String(receipts[0]?.loop))).toEqual(receipt);
  expect(existsSync(receiptFile)).toBe(true);
  const workflows = (await server.get("/api/workflows")) as { workflows: { name: string }[]; faulty: unknown[] };
  expect(workflows.workflows.map(({ name }) => name).sort()).toEqual(["ralph", "slow"]);
  expect(workflows.faulty).toMatchObject([{ file: ".ralph/workflows/broken.yaml" }]);
  expect(await server.get("/api/workflows/ralph")).toMatchObject({ form: "loop", triggers: ["go ralph"] });
  expect(await server.get("/api/conversations/http/test-ralph/messages?limit=2")).toMatchObject({
    messages: [
      { role: "user", run },
      { role: "system", run },
    ],
    next: expect.any(Number),
  });
  expect(await server.get("/api/status")).toMatchObject({ running: 0, maxParallel: 2, tasks: { todo: 1 } });
  expect(await server.get("/health")).toEqual({ ok: true });
});

test("a run is started by name, watched, and cancelled; its output streams while it runs", async () => {
  const { conversationId, runId } = (await server.post("/api/workflows/slow/runs", { message: "take your time" })) as {
    conversationId: string;
    runId: string;
  };
  const loop = await until(async () => {
    const { loops } = (await server.get(`/api/runs/${runId}`)) as { loops: { id: string; held: boolean }[] };
    return loops[0]?.held ? loops[0].id : null;
  });
  const output = await fetch(`${server.url}/api/loops/${loop}/output?follow=true`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const reader = (output.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(`${JSON.stringify({ iteration: 1, attempt: 1, text: "at it\n" })}\n`);
  expect(await server.ask("POST", `/api/runs/${runId}/resume`)).toMatchObject({
    status: 409,
    body: { error: { code: "run-held" } },
  });
  const queued = (await server.post("/test/message", { conversationId, message: "go slow" })) as { runId: string };
  expect(await server.post(`/api/runs/${queued.runId}/cancel`)).toMatchObject({ cancelled: true, status: "cancelled" });
  expect(await server.post(`/api/runs/${runId}/cancel`)).toMatchObject({ cancelled: true });
  await until(
    async () => ((await server.get(`/api/runs/${runId}`)) as { status: string }).status === "cancelled" || null,
  );
  // The stream ends with the loop.
  for (let done = false; !done; ) done = (await reader.read()).done;
  expect(await server.post(`/api/loops/${loop}/cancel`)).toMatchObject({ cancelled: false, reason: "cancelled" });
  expect(await server.ask("POST", `/api/runs/${runId}/resume`)).toMatchObject({
    status: 409,
    body: { error: { code: "run-ended" } },
  });
  const { messages } = (await server.get(`/test/messages/${conversationId}`)) as { messages: Message[] };
  expect(messages[0]?.content).toContain("take your time");
});

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (
    const giveUpMs = Date.now() + PATIENT.timeout;
    Date.now() < giveUpMs;
    await new Promise((done) => setTimeout(done, 30))
  ) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Error("it never came");
}

describe("events", () => {
  test("arrive in order, and a dropped connection loses and duplicates none", async () => {
    const got: number[] = [];
    const bodies: unknown[] = [];
    await server.post("/test/message", { conversationId: "dropped", message: "go ralph" });
    const steps = [1, 2, 5, 3];
    for (let at = 0, turn = 0; ; turn++) {
      const end = await lastId();
      const most = steps[turn % steps.length] ?? 1;
      // Half of the ids by header, half by query: both mean the same.
      const place = turn % 2 === 0 ? { lastEventId: at } : { query: `?after=${at}` };
      const { events } = await readEvents(server, {
        ...place,
        until: (all) => all.length >= most || all.at(-1)?.id === end,
      });
      // Later events are dropped with the connection, as by a client that stopped there.
      for (const { id, data } of events.slice(0, most)) {
        got.push(id);
        bodies.push(data);
      }
      at = got.at(-1) ?? at;
      if (at === end && (await isOver("dropped")) && (await lastId()) === end) break;
    }
    const journal = await journalled();
    expect(got).toEqual(journal.map(({ id }) => id));
    expect(bodies).toEqual(journal.map(shownEntry));
  });

  test("are filtered by kind and subject, and filtered entries advance the position", async () => {
    const end = await lastId();
    const { events, lastId: at } = await readEvents(server, {
      query: "?after=0&kind=message,run&subject=http:test-ralph",
      until: (all, place) => all.length >= 4 && place > (all.at(-1)?.id ?? place),
    });
    expect(events.map(({ kind, data }) => `${kind} ${data.subject}`)).toEqual(Array(4).fill("message http:test-ralph"));
    expect(at).toBeGreaterThan(events.at(-1)?.id ?? 0);
    expect(at).toBeLessThanOrEqual(end);
  });

  test("start now by default, with a hint when to reconnect", async () => {
    // Those of earlier tests may still be closing.
    await until(async () => (await clients()) === 0 || null);
    const before = await lastId();
    const reading = readEvents(server, { until: (all) => all.length > 0 });
    await until(async () => (await clients()) === 1 || null);
    await server.post("/test/message", { conversationId: "now", message: "status" });
    const { events, text } = await reading;
    expect(text).toMatch(new RegExp(`^retry: 2000\nid: ${before}\n\n`));
    expect(events[0]).toMatchObject({ kind: "message", data: { subject: "http:now" } });
  });

  test("are refused for an invalid position", async () => {
    expect(await server.ask("GET", "/events?after=x")).toMatchObject({ status: 400 });
    expect(await server.ask("GET", "/events?kind=nothing")).toMatchObject({ status: 400 });
    expect(await server.ask("GET", "/events", undefined, { "last-event-id": "-1" })).toMatchObject({ status: 400 });
  });

  const seenEvents = async () =>
    ((await server.get("/api/status")) as { events: { last: number; clients: number } }).events;
  const lastId = async () => (await seenEvents()).last;
  const clients = async () => (await seenEvents()).clients;
  /** Whether everything is recorded: the run's end, and the messages about it. */
  const isOver = async (conversation: string) => {
    const { runs } = (await server.get(`/api/runs?conversation=${conversation}`)) as { runs: { status: string }[] };
    const { messages } = (await server.get(`/test/messages/${conversation}`)) as { messages: Message[] };
    return runs[0]?.status === "completed" && messages.at(-1)?.content.startsWith("**Loop complete**");
  };
  function journalled(): Promise<FeedEntry[]> {
    return inWorkspace({ cwd: box.cwd, stateDir: box.state }, ({ feed }) => feed.after(0, 1_000));
  }
});

describe("the OpenAPI document", () => {
  test("has every operation, and every reference in it resolves", async () => {
    const response = await fetch(`${server.url}/openapi.json`);
    const document = (await response.json()) as { paths: Record<string, object> };
    const found = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    expect(found.sort()).toEqual(
      OPERATIONS.map(({ method, path, id }) => `${method.toLowerCase()} ${path} ${id}`).sort(),
    );
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => String(ref));
    expect(refs.length).toBeGreaterThan(30);
    for (const ref of new Set(refs)) expect([ref, resolved(document, ref)]).toEqual([ref, expect.any(Object)]);
    expect(JSON.stringify(document)).not.toContain('"schema":null');
    for (const [path, methods] of Object.entries(document.paths)) checkPath(path, methods);
  });

  /** What the specification requires of every path: declared parameters and described answers. */
  function checkPath(path: string, methods: unknown): void {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(methods as Record<string, Record<string, unknown>>)) {
      const parameters = operation.parameters as { name: string; in: string; required: boolean; schema: object }[];
      expect(parameters.filter((one) => one.in === "path").map(({ name }) => name)).toEqual(named);
      expect(parameters.every((one) => one.in !== "path" || one.required)).toBe(true);
      for (const answer of Object.values(operation.responses as Record<string, { description: string }>)) {
        expect(answer.description).not.toBe("");
      }
      expect(operation.summary).toEqual(expect.any(String));
    }
  }

  const resolved = (document: unknown, ref: string): unknown =>
    ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>(
        (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
        document,
      );
});

/** In serve-view.test.ts and serve-actions.test.ts. */
const IN_ACTIONS = ["createTasks", "retryTask", "acceptTask"];
const IN_EXECUTIONS = ["listExecutions", "startExecution", "cancelExecution", "resumeLoop"];
const IN_VIEW = ["showView", "showTaskPage", "showLoopPage", "showLoopDiff", "showTaskDiff", "showStats"];

test("every operation that answers with JSON was tested here", () => {
  const tried = OPERATIONS.filter(({ answer }) => !("media" in answer)).map(({ id }) => id);
  const sessions = ["createLoginLink", "startSession", "showSession", "endSession"];
  const elsewhere = [...["sendWebhookMessage", ...IN_ACTIONS, ...IN_EXECUTIONS, "resumeRun", ...IN_VIEW], ...sessions];
  expect(tried.filter((id) => !seen.has(id))).toEqual(elsewhere);
});

test("the guide lists every operation", () => {
  const guide = readFileSync(resolve("docs/server.md"), "utf8");
  const rows = OPERATIONS.map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
  expect(guide.split("\n").filter((line) => /^\| `(GET|POST) /.test(line))).toEqual(rows);
});
