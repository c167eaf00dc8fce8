import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExecutionLine } from "../src/core/view/board.ts";
import type { TaskPage } from "../src/core/view/task-page.ts";
import { logIn, secretsOf } from "./support/browser-session.ts";
import { PATIENT } from "./support/patience.ts";
import { type PipelineSandbox, pipeline } from "./support/pipeline.ts";
import { loopWorkflow, OPERATIONS, type Serving, serving } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: PipelineSandbox;
let server: Serving;

const RALPH = `'${process.execPath}' '${resolve("dist/ralph.js")}'`;
const STAGES = { ralph: { stages: ["coder"] } };

beforeAll(async () => {
  box = pipeline((cleanUp) => cleanUps.push(cleanUp), STAGES);
  box.program("tiny", 'echo x >> worked; echo "<promise>COMPLETE</promise>"');
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "tiny"));
  server = await serving(box);
});

afterAll(async () => {
  await server?.stop();
  for (const cleanUp of cleanUps) cleanUp();
});

const completion = { outcome: "it works", acceptance_criteria: [{ text: "it is there", check: "test -f A.txt" }] };

const refused = async (path: string, body: unknown = {}) => {
  const { status, body: answer } = await server.ask("POST", path, body);
  const { code, message } = (answer as { error: { code: string; message: string } }).error;
  return `${status} ${code}: ${message}`;
};

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (const giveUpMs = Date.now() + PATIENT.timeout; ; await new Promise((done) => setTimeout(done, 50))) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > giveUpMs) throw new Error("it never came");
  }
}

const statusOf = async (id: string) => ((await server.get(`/api/tasks/${id}`)) as { status: string }).status;

test("tasks are created by the rules of ralph task create, with the field of each mistake", async () => {
  expect(await server.post("/api/tasks", { id: "A", spec_id: "site", title: "Make A", completion })).toMatchObject({
    ...{ id: "A", specs: ["site"], proposed: false },
    created: [{ id: "A", spec_id: "site", status: "todo" }],
  });
  // Without ids and specs, in the other spelling, and only with a flag without criteria.
  const unnamed = { tasks: [{ title: "One" }, { title: "Two", completionSpec: completion }] };
  expect(await server.post("/api/tasks?noCriteria=true", unnamed)).toMatchObject({
    created: [
      { id: "TASK-001", spec_id: "site" },
      { id: "TASK-002", spec_id: "site" },
    ],
  });
  expect(await refused("/api/tasks", { title: "Three" })).toMatch(/^400 bad-request: the body: completion: missing/);
  expect(await refused("/api/tasks", { id: "B C", completion: { outcom: 1 } })).toMatch(
    /id: .*title: .*completion\.outcom: /s,
  );
  expect(await refused("/api/tasks", { tasks: [{ id: "B", title: "", completion }] })).toMatch(/tasks\[0\]\.title: /);
  expect(await refused("/api/tasks", { id: "A", title: "Again", completion })).toMatch(/task-exists: .*A/);
  const circle = ["B", "C"].map((id, i, ids) => ({ id, title: id, completion, dependencies: [ids[1 - i]] }));
  expect(await refused("/api/tasks", { tasks: circle })).toMatch(/^422 dependency-circle: .*B → C/);
  expect(await refused("/api/tasks", { tasks: [] })).toMatch(/tasks-missing/);
  expect(await server.ask("GET", "/api/tasks/B")).toMatchObject({ status: 404 });
  for (const id of ["TASK-001", "TASK-002"]) await box.ralph("task", "delete", id);
});

test("an execution works in a process of its own, is listed, cancelled, and its task is retried", async () => {
  // From then on, the server itself is known to drive loops, and agents descend from it.
  await server.post("/api/workflows/ralph/runs", { message: "first" });
  await until(async () => ((await server.get("/api/status")) as { running: number }).running === 0 || null);
  box.plan("coder", "while [ ! -f ../../release ] && [ ! -f $PLAN/release ]; do sleep 0.05; done; echo x > $task.txt");
  const started = (await server.post("/api/executions", { tasks: ["A"], maxParallel: 2, stages: ["coder"] })) as {
    execution: string;
  };
  expect(started).toMatchObject({ execution: expect.stringMatching(/^[0-9a-f]{8}$/), ended: false });
  const { execution } = started;
  const line = await until(async () => {
    const { executions } = (await server.get("/api/executions")) as { executions: ExecutionLine[] };
    return executions.find(({ id }) => id === execution) ?? null;
  });
  expect(line.holder).toMatchObject({ pid: expect.any(Number) });
  expect(await server.post(`/api/executions/${execution}/cancel`)).toEqual({ execution, cancelled: true });
  await until(async () => {
    const { executions } = (await server.get("/api/executions")) as { executions: unknown[] };
    return executions.length === 0 || null;
  });
  expect(await refused(`/api/executions/${execution}/cancel`)).toMatch(/^404 execution-unknown/);
  expect(await server.post("/api/tasks/A/cancel")).toMatchObject({ task: "A" });
  expect(await server.post("/api/tasks/A/retry")).toMatchObject({ id: "A", status: "todo", held: false });
});

test("what was started outlives the server, and its work is shown by the next one", async () => {
  const { execution } = (await server.post("/api/executions", { tasks: ["A"] })) as { execution: string };
  expect(execution).toMatch(/^[0-9a-f]{8}$/);
  await server.stop();
  box.plan("release", "");
  server = await serving(box);
  await until(async () => (await statusOf("A")) === "done" || null);
  const page = (await server.get("/api/view/tasks/A")) as TaskPage;
  expect(page).toMatchObject({
    ...{ decides: "decided", decided: expect.any(String) },
    criteria: [{ text: "it is there", is: "proved" }],
    stages: [{ role: "coder", is: "passed" }, { is: "skipped" }, { is: "skipped" }, { is: "skipped" }],
  });
  expect(page.history.map(({ words }) => words.replace(/[0-9a-f]{8,}/g, "…"))).toContain("merge: merged: …");
  expect(await server.get("/api/tasks/A/diff")).toMatchObject({ files: [{ path: "A.txt", status: "added" }] });
  expect(await refused("/api/tasks/A/retry")).toMatch(/task-done/);
});

test("an execution that cannot start is refused with its own error; without work it ends", async () => {
  expect(await refused("/api/executions", { tasks: ["Z"] })).toMatch(/^404 task-unknown: .*Z/);
  expect(await refused("/api/executions", { target: "no-such-branch" })).toMatch(/^4\d\d .*no-such-branch/);
  expect(await refused("/api/executions", { target: "--help" })).toMatch(/^400 bad-request: .*target: /);
  expect(await refused("/api/executions", { target: "ma\0in" })).toMatch(/^400 bad-request: .*target: /);
  expect(await refused("/api/executions", { tasks: ["--quiet"] })).toMatch(/^400 bad-request: .*tasks\[0\]: /);
  expect(await refused("/api/executions", { agent: "sh" })).toMatch(/^400 bad-request: .*agent/);
  expect(await server.post("/api/executions", {})).toMatchObject({ ended: true });
});

test("a loop is resumed in a process of its own, with other limits", async () => {
  box.program("second", 'test -f tried && echo "<promise>DONE</promise>"; touch tried');
  await box.ralph("run", "--agent", "second", "-c", "DONE", "--prompt", "x", "--verify", "test -f tried", "-m", "1");
  const [{ id } = { id: "" }] = ((await server.get("/api/loops?limit=1")) as { loops: { id: string }[] }).loops;
  expect(await refused(`/api/loops/${id}/resume`, { maxIterations: 0 })).toMatch(/^400 .*maxIterations: /);
  expect(await server.post(`/api/loops/${id}/resume`, { maxIterations: 3 })).toMatchObject({
    id,
    status: expect.any(String),
  });
  await until(async () => ((await server.get(`/api/loops/${id}`)) as { proof: string | null }).proof ?? null);
  expect(await refused(`/api/loops/${id}/resume`)).toMatch(/^4\d\d loop-/);
  expect(await refused("/api/loops/abcdef/resume")).toMatch(/^404 loop-unknown/);
  const { loops } = (await server.get("/api/loops?task=A")) as { loops: { id: string }[] };
  expect(await refused(`/api/loops/${loops[0]?.id}/resume`)).toMatch(/loop-of-task/);
});

test("a task that an agent has proposed is accepted as it was seen", async () => {
  box.program("proposer", `${RALPH} task create P site Proposed --no-criteria && echo "<promise>DONE</promise>"`);
  await box.ralph("run", "--agent", "proposer", "-c", "DONE", "--prompt", "x", "-m", "1");
  expect(await statusOf("P")).toBe("proposed");
  expect(await refused("/api/tasks/P/retry")).toMatch(/task-proposed/);
  expect(await refused("/api/tasks/P/accept?seen=1")).toMatch(/^409 task-changed/);
  const { card } = (await server.get("/api/view/tasks/P")) as TaskPage;
  expect(card.badge).toBe("proposed");
  expect(await server.post(`/api/tasks/P/accept?seen=${card.updatedMs}`)).toMatchObject({ id: "P", status: "todo" });
});

test("an agent that has read the token can only propose", async () => {
  const { port, host } = new URL(server.url);
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json", origin: server.url };
  // Everything that changes something, except what a platform signs. The first one creates the task.
  const changes = OPERATIONS.filter(({ method, access, id }) => {
    return method !== "GET" && typeof access !== "object" && id !== "createTasks";
  });
  expect(changes.length).toBeGreaterThan(12);
  expect(changes.filter(({ agents }) => agents !== "refused")).toEqual([]);
  const paths = changes.map(({ path }) => path.replace("{task}", "Q").replace(/\{\w+\}/g, "last"));
  const body = { id: "Q", title: "From the agent", completion };
  const asked = { "/api/tasks": body, ...Object.fromEntries(paths.map((path) => [path, {}])) };
  const { cookie, "x-ralph-key": key } = secretsOf(await logIn(server));
  const secrets = [
    [`authorization: ${headers.authorization}`],
    [`cookie: ${cookie}`, `x-ralph-key: ${key}`, `origin: ${server.url}`],
  ];
  const texts = secrets.map((own) =>
    ["POST /api/tasks/Q/accept HTTP/1.1", `host: ${host}`, ...own, "content-length: 0", "", ""].join("\r\n"),
  );
  box.write(
    "../asking.mjs",
    `import { connect } from "node:net";
for (const [path, body] of Object.entries(${JSON.stringify(asked)})) {
  const asked = { method: "POST", headers: ${JSON.stringify(headers)}, body: JSON.stringify(body) };
  const answer = await fetch("${server.url}" + path, asked);
  console.log(answer.status, await answer.text());
}
// Who has left before the server looks is not taken for the user.
for (const text of ${JSON.stringify(texts)}) {
  for (const leave of ["destroy", "resetAndDestroy"]) {
    const socket = connect(${port}, "127.0.0.1").on("error", () => undefined);
    await new Promise((sent) => socket.write(text, sent));
    socket[leave]();
  }
}`,
  );
  box.program("asker", `'${process.execPath}' ../asking.mjs; echo "<promise>DONE</promise>"`);
  const { stdout, stderr } = await box.ralph("run", "--agent", "asker", "-c", "DONE", "--prompt", "x", "-m", "1");
  const answers = (stdout + stderr).split("\n").filter((line) => /^\s*\d{3} \{/.test(line));
  expect(answers.map((line) => line.replace(/^.*"(proposed|code)":"?([\w-]+).*$/, "$2"))).toEqual([
    "true",
    ...changes.map(() => "persons-only"),
  ]);
  expect(await statusOf("Q")).toBe("proposed");
  expect((await server.get("/api/view/tasks/Q")) as TaskPage).toMatchObject({ commands: ["test -f A.txt"] });
  expect(await server.post("/api/tasks/Q/accept")).toMatchObject({ id: "Q", status: "todo" });
});

test("statistics are those of the command line", async () => {
  const { at, ...stats } = (await server.get("/api/stats")) as { at: number };
  expect(at).toBeGreaterThan(0);
  expect(stats).toEqual(await box.json("stats"));
  expect(await server.get("/api/stats?since=7d&task=A")).toMatchObject({
    task: "A",
    totals: { loops: expect.any(Number) },
  });
  expect(await server.get("/api/stats?since=999999999d")).toMatchObject({ since: "1970-01-01T00:00:00.000Z" });
  expect(await server.ask("GET", "/api/stats?since=soon")).toMatchObject({ status: 400 });
  expect(await server.ask("GET", "/api/stats?spec=none")).toMatchObject({ status: 404 });
});
