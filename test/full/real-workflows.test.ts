import { expect, test, vi } from "vitest";
import type { Call } from "../support/model-server/dialect.ts";
import type { Step } from "../support/model-server.ts";
import { PATIENT } from "../support/patience.ts";
import { realAgents } from "../support/real-agents.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { serving } from "../support/serve.ts";
import { settled } from "../support/settled.ts";
import { loopYaml, runRow } from "../support/workflow-box.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 480_000 });

// Those that report their session's totals; the others resume sessions in real-agents.test.ts, with the same engine.
const BOTH = ["claude", "codex"] as const;

const steps = (box: Sandbox, ...lines: string[]): void => {
  box.write(
    ".ralph/workflows/s.yaml",
    `name: s\ndescription: Steps\nsteps:\n${lines.map((line) => `  - ${line}\n`).join("")}`,
  );
};

/** The conversation up to and including a request. */
const talk = (call: Call | undefined): string =>
  (call?.messages ?? []).flatMap(({ role, text }) => (/^(user|assistant)$/.test(role) ? text.trim() : [])).join("\n");

test.concurrent.for(BOTH)("%s: steps share a session until one clears it, and nothing is counted twice", async (name, {
  onTestFinished,
}) => {
  const said = ["First.", "Second.", "Third.", "Fourth."].map((text) => ({ text }));
  const { box, server } = await settled(realAgents[name], () => said, onTestFinished);
  steps(box, "prompt: ALPHA", "prompt: BRAVO", "{ prompt: CHARLIE, clearContext: true }", "prompt: DELTA");
  const { stdout } = await box.ralph("workflow", "run", "s", "--json");
  const tokens = { inputTokens: 400, outputTokens: 80 };
  const spent = { ...tokens, costUsd: expect.closeTo(4 * realAgents[name].costUsd, 9) };
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ status: "completed", spent });

  const [, second, third, fourth] = server.requests.map(talk);
  expect(second).toMatch(/ALPHA.*First\..*BRAVO$/s);
  expect(third).toMatch(/CHARLIE$/);
  expect(third).not.toMatch(/ALPHA|First|BRAVO|Second/);
  expect(fourth).toMatch(/CHARLIE.*Third\..*DELTA$/s);
  expect(fourth).not.toMatch(/ALPHA|First|BRAVO|Second/);
});

test.concurrent.for(BOTH)("%s: a loop continues in its session after kill -9, unless it is fresh", async (name, {
  onTestFinished,
}) => {
  const script = (box: Sandbox, file: string): Step[] => [
    { text: "Begun." },
    { hang: true },
    { write: { path: box.path(file), content: "work" } },
    { text: "Ended. <promise>DONE</promise>" },
  ];
  const scripts = (box: Sandbox) => [...script(box, "kept.txt"), ...script(box, "fresh.txt")];
  const { box, server } = await settled(realAgents[name], scripts, onTestFinished);
  for (const fresh of [false, true]) {
    const before = server.requests.length;
    const prompt = "TURN $ITERATION, then say <promise>DONE</promise>";
    box.write(".ralph/workflows/l.yaml", loopYaml("l", { until: "DONE", max: 3, fresh, prompt }));
    const run = box.start(["workflow", "run", "l"]);
    await vi.waitFor(() => expect(server.requests).toHaveLength(before + 2), PATIENT);
    run.child.kill("SIGKILL");
    await run.ended;
    expect(await box.ralph("workflow", "resume")).toMatchObject({ code: 0 });
    const [, cut, again] = server.requests.slice(before).map(talk);
    for (const request of [cut, again]) expect(/TURN 1.*Begun\..*TURN 2/s.test(request ?? "")).toBe(!fresh);
  }
  expect(await box.json("workflow", "runs")).toMatchObject([{ status: "completed" }, { status: "completed" }]);
});

test("claude is offered the tools that a step allows, and the model that it names", async ({ onTestFinished }) => {
  const { box, server } = await settled(realAgents.claude, () => [{ text: "Yes." }], onTestFinished);
  const agent = { command: "claude", flags: ["--disallowedTools Bash"] };
  box.write(".ralph/settings.json", JSON.stringify({ agent }));
  steps(
    box,
    "{ prompt: one, allowed_tools: [Read, Bash], model: haiku }",
    "{ prompt: two, denied_tools: [Write], model: sonnet }",
    "{ prompt: three, allowed_tools: [] }",
  );
  expect(await box.ralph("workflow", "run", "s")).toMatchObject({ code: 0 });
  // A request without tools is not a conversation for the server.
  const [one, two, none] = server.requests;
  expect(one).toMatchObject({ tools: expect.arrayContaining(["Read"]), model: expect.stringContaining("haiku") });
  expect(one?.tools.filter((tool) => /^(Bash|Edit|Write|Agent|Web.*)$/.test(tool))).toEqual([]);
  expect(two).toMatchObject({
    tools: expect.arrayContaining(["Read", "Edit"]),
    model: expect.stringContaining("sonnet"),
  });
  expect(two?.tools.filter((tool) => /^(Bash|Write)$/.test(tool))).toEqual([]);
  expect(none).toBeUndefined();
});

test.concurrent.for(
  BOTH,
)("%s: a full session is replaced by a new one, and a missing login pauses the run", async (name, {
  onTestFinished,
}) => {
  const script = [{ text: "First." }, { status: 413 }, { text: "Second." }, { status: 401 }, { text: "Last." }];
  const { box, server } = await settled(realAgents[name], () => script, onTestFinished);
  steps(box, "prompt: ALPHA", "prompt: BRAVO", "prompt: CHARLIE");
  const { code, stderr } = await box.ralph("workflow", "run", "s");
  expect(stderr).toContain("its session is gone or full");
  expect(stderr).toContain("**Workflow paused**: s\n\nthe agent is not logged in");
  // It has stopped without being interrupted.
  expect(code).toBe(1);
  expect(await box.ralph("workflow", "resume")).toMatchObject({ code: 0, stdout: "Last.\n" });
  const [, full, second, , last] = server.requests.map(talk);
  expect(full).toMatch(/ALPHA.*First\..*BRAVO$/s);
  expect(second).toMatch(/BRAVO$/);
  expect(second).not.toMatch(/ALPHA|First/);
  expect(last).toMatch(/BRAVO.*Second\..*CHARLIE$/s);
});

test("claude in many steps at once, and the messages to a conversation", async ({ onTestFinished }) => {
  const answer = { thought: "SECRET musings", text: "I look at **it** first, all of it.", run: "echo looked" };
  const { box } = await settled(
    realAgents.claude,
    () => [answer, { thought: "SECRET", text: "Seen.\n\n- a\n- b" }],
    onTestFinished,
  );
  const agent = { command: "claude", flags: ["--allowedTools Bash", "--include-partial-messages"] };
  box.write(".ralph/settings.json", JSON.stringify({ agent }));
  steps(
    box,
    "prompt: Look.",
    "parallel: [{ name: a, prompt: one }, { name: b, prompt: two }, { name: c, prompt: three }]",
  );
  const server = await serving(box);
  await server.post("/test/message", { conversationId: "talk", message: "run s" });
  const said = await server.talkUntil("talk", /^\*\*Workflow complete\*\*: s \(2 steps\)$/);
  await server.stop();
  expect(said.slice(0, 6)).toEqual([
    "run s",
    "Step 1/2: step-1",
    "I look at **it** first, all of it.",
    "Bash: echo looked",
    "Seen.\n\n- a\n- b",
    "Step 2/2: a, b, c (together)",
  ]);
  expect(said.slice(6, -1).sort()).toEqual(["a", "b", "c"].map((name) => `[${name}] Seen.\n\n- a\n- b`));
  expect(await runRow(box)).toMatchObject({ status: "completed" });
});

test("claude at its limit: a conversation is told why there are no messages", async ({ onTestFinished }) => {
  // Told once: the next attempt hangs.
  const script: Step[] = [{ text: "First." }, { status: 429, retryAfterS: 0 }, { hang: true }];
  const { box } = await settled(realAgents.claude, () => script, onTestFinished);
  steps(box, "prompt: ALPHA", "prompt: BRAVO");
  const server = await serving(box);
  await server.post("/test/message", { conversationId: "talk", message: "run s" });
  const waits = /^Waiting for \d+s, then trying again: rate-limited: .*429/;
  expect((await server.talkUntil("talk", waits)).slice(0, -1)).toEqual([
    "run s",
    "Step 1/2: step-1",
    "First.",
    "Step 2/2: step-2",
  ]);
  expect(await runRow(box)).toMatchObject({ status: "running", metadata: { last_output: "First." } });
  await server.post("/test/message", { conversationId: "talk", message: "cancel" });
  await server.talkUntil("talk", /^\*\*Workflow cancelled\*\*/);
  await server.stop();
});
