import { test } from "vitest";
import { openSqliteStore } from "../src/adapters/store/sqlite-store.ts";
import { full } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import type { Sandbox } from "./support/sandbox.ts";
import { aBash, aLoop, aStep, aWorkflow, workflowSandbox } from "./support/workflow-runs.ts";

async function wishesAbout({ state }: Sandbox, run: string) {
  const store = await openSqliteStore(`${state}/ralph.db`);
  try {
    return await store.inbox.requests({ kind: "run", id: run });
  } finally {
    store.close();
  }
}

const texts = (told: readonly { text: string }[]): string[] => told.map(({ text }) => text);

test.concurrent("steps share a session unless one starts a fresh one", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("echo the plan");
  const { id, state, told } = await box.drive(
    aWorkflow([
      aStep("plan", "Plan $USER_MESSAGE in $WORKFLOW_ID on $BASE_BRANCH, see $ARTIFACTS_DIR"),
      aStep("build", "Build what $plan.output says"),
      aStep("review", "Review", { fresh: true, tools: { allowed: ["Read"], denied: ["Bash"] } }),
    ]),
    "a $BASE_BRANCH thing",
  );
  const calls = box.calls();
  expect(calls.map(({ resumed }) => resumed)).toEqual([null, "session-1", null]);
  // Values are filled in once: their content is never expanded again.
  expect(calls[0]?.prompt).toBe(
    `Plan a $BASE_BRANCH thing in ${id} on main, see ${box.path(`.ralph/artifacts/${id}`)}`,
  );
  expect(calls[1]?.prompt).toBe("Build what the plan says");
  expect(calls[2]?.args).toEqual(expect.arrayContaining(["--tools", "Read", "--disallowedTools", "Bash"]));
  expect(calls[1]?.args).not.toContain("--tools");
  expect(box.git("status", "--porcelain", "-uall")).toBe("");
  expect(state).toMatchObject({ status: "completed", outputs: { plan: "the plan" }, detail: "" });
  expect(texts(told)).toEqual([
    "Step 1/3: plan",
    "the plan",
    "Step 2/3: build",
    "call 2",
    "Step 3/3: review",
    "call 3",
    "**Workflow complete**: test (3 steps)",
  ]);
});

full.concurrent("a loop resumes its session from the second iteration on", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("echo one", "echo two", "touch done; echo 'All done. <promise>complete</promise>'");
  const { state, told, events } = await box.drive(
    aWorkflow([aLoop("loop", "$ITERATION of $MAX_ITERATIONS after [$LOOP_PREV_OUTPUT]: $USER_MESSAGE")]),
  );
  expect(box.calls().map(({ resumed }) => resumed)).toEqual([null, "session-1", "session-1"]);
  expect(box.calls().map(({ prompt }) => prompt.split("\n")[0])).toEqual([
    "1 of 5 after []: do it",
    "2 of 5 after [one]: do it",
    "3 of 5 after [two]: do it",
  ]);
  expect(texts(told).slice(0, -1)).toEqual([
    "**Iteration 1/5**",
    "one",
    "**Iteration 2/5**",
    "two",
    "**Iteration 3/5**",
    "All done. <promise>complete</promise>",
  ]);
  expect(told.at(-1)).toMatchObject({ critical: true });
  expect(told.at(-1)?.text).toMatch(
    /^\*\*Loop complete\*\*: test \(3 iterations\)\n\n\*\*promise-only\*\*: only the agent's word/,
  );
  expect(state).toMatchObject({
    status: "completed",
    detail: "",
    proof: "promise-only",
    metadata: { iteration_count: 3, max_iterations: 5, last_output: "All done. <promise>complete</promise>" },
  });
  expect(events.findLast(({ type }) => type === "part.ended")).toMatchObject({ is: "done", reason: "promise-only" });
  expect(events.filter(({ type }) => type === "iteration.began")).toHaveLength(3);
});

full.concurrent("fresh_context starts every iteration in its own session", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  const { state, told } = await box.drive(
    aWorkflow([aLoop("loop", "Go", { freshContext: true, maxIterations: 2 })]),
    "",
    { TEST_DROPPED: "3" },
  );
  expect(box.calls().map(({ resumed }) => resumed)).toEqual([null, null]);
  const why = 'Max iterations (2) reached without completion signal "COMPLETE"';
  expect(state).toMatchObject({ status: "failed", detail: why, dropped: 3 });
  expect(told.at(-1)).toMatchObject({ text: `**Loop incomplete**: test\n\n${why}`, critical: true });
});

full.concurrent.for([
  ["a bare signal alone on a line", "touch done; printf 'Done.\\nCOMPLETE\\n'", true],
  ["a bare signal in the middle of a line", "touch done; echo 'This is COMPLETE now'", false],
  ["a negated promise", "touch done; echo 'I cannot say <promise>COMPLETE</promise> yet, tests fail.'", false],
  ["the prompt, repeated", 'touch done; printf %s "$PROMPT"', false],
] as const)("%s", async ([, script, completes], { expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says(script);
  const { state } = await box.drive(
    aWorkflow([
      aLoop("loop", "Work on: $USER_MESSAGE\n\nThen say:\n<promise>COMPLETE</promise>", { maxIterations: 1 }),
    ]),
    "Please print\n<promise>COMPLETE</promise>",
  );
  expect(state.status).toBe(completes ? "completed" : "failed");
});

test.concurrent("a command can end a loop without a promise, and veto one", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says(
    "echo working",
    "echo '<promise>COMPLETE</promise>'",
    "touch built; echo '<promise>COMPLETE</promise>'",
    "touch reviewed",
  );
  const { state, told } = await box.drive(
    aWorkflow([
      aLoop("build", "Build", { verify: ["test -f built"] }),
      aLoop("review", "Review", { until: null, untilBash: 'test -f reviewed && test "$USER_MESSAGE" = "do it"' }),
    ]),
  );
  expect(state).toMatchObject({ status: "completed", detail: "nothing was protected" });
  expect(box.calls()).toHaveLength(4);
  expect(box.calls()[2]?.prompt).toContain("test -f built");
  const proven = "**verified**: a check that failed before the work passes now; nothing was protected";
  expect(texts(told)).toEqual(
    expect.arrayContaining([
      `**Loop complete**: build (3 iterations)\n\n${proven}`,
      `**Loop complete**: review (1 iterations)\n\n${proven}`,
    ]),
  );
  const [last] = (await box.json("list")) as [{ id: string }];
  const { stdout } = await box.ralph("why", last.id);
  expect(stdout).toContain("none; the checks decide");
  expect(stdout).toContain("1 of 1 checks pass; no promise was given, and none was needed");
  const resumed = await box.ralph("resume", last.id);
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toContain("ralph workflow resume");
});

full.concurrent("the limit includes the last verification result", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("echo '<promise>COMPLETE</promise>'");
  const { state } = await box.drive(aWorkflow([aLoop("loop", "Go", { verify: ["false"], maxIterations: 1 })]));
  expect(state.detail).toBe(
    'Max iterations (1) reached without completion signal "COMPLETE"\nLast verification: false: exit code 1',
  );
});

full.concurrent("a failing agent fails the run; a step is retried first", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("exit 1", "exit 1", "echo fine", "echo one", "echo broken; exit 1");
  const { state, told } = await box.drive(
    aWorkflow([aStep("plan", "Plan", { retry: { attempts: 2, delayMs: 10 } }), aLoop("loop", "Go")]),
  );
  expect(box.calls()).toHaveLength(5);
  expect(state.status).toBe("failed");
  expect(state.detail).toMatch(/^Iteration 2: \S/);
  expect(told.at(-1)?.text).toMatch(/^\*\*Loop failed\*\* at iteration 2: \S/);
  expect(texts(told).filter((text) => text.includes("Trying again"))).toHaveLength(2);
});

test.concurrent("parallel steps run at the same time, each in its own session", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  const meet = (mine: string, other: string) =>
    `touch ${mine}; until test -f ${other}; do sleep 0.02; done; echo ${mine}`;
  box.says("echo first", meet("a", "b"), meet("b", "a"));
  const { state, told } = await box.drive(
    aWorkflow([
      aStep("plan", "Plan"),
      { kind: "parallel", name: "checks", steps: [aStep("tests", "Test"), aStep("style", "Look")] },
      aStep("end", "End with $tests.output"),
    ]),
    "x",
    { TEST_MODE: "stream" },
  );
  expect(state.status).toBe("completed");
  expect(box.calls().map(({ resumed }) => resumed)).toEqual([null, null, null, "session-1"]);
  expect(texts(told)).toContain("Step 2/3: tests, style (together)");
  expect(texts(told)).toContain(`[tests] ${state.outputs.tests}`);
});

full.concurrent("a user message reaches a command unchanged, and is never run", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  const message = `"'; touch pwned; $(touch pwned) \`touch pwned\`\n${"x".repeat(200_000)}`;
  const { state } = await box.drive(
    aWorkflow([
      aBash("count", 'printf %s "$USER_MESSAGE" > message.txt; echo "counted $ARGUMENTS" | head -c 12'),
      aBash("next", 'test "$NODE_OUTPUT_COUNT" = "counted \\"\';" && echo "in $ARTIFACTS_DIR on $BASE_BRANCH"'),
    ]),
    message,
  );
  expect(state).toMatchObject({ status: "completed", outputs: { next: expect.stringContaining(" on main") } });
  expect(box.exists("pwned")).toBe(false);
  expect(box.read("message.txt").slice(0, 60)).toBe(message.slice(0, 60));
});

full.concurrent("a command that fails, or does not end, fails the run", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  const slow = aBash("slow", "sleep 60", { timeoutS: 0.3 });
  expect((await box.drive(aWorkflow([slow]))).state.detail).toBe("timed out after 300ms");
  const { state, told } = await box.drive(aWorkflow([aBash("check", "echo broken; exit 3")]));
  expect(state).toMatchObject({ status: "failed", detail: "exit code 3: broken" });
  expect(told.at(-1)?.text).toBe("**Step failed** (1/1, check): exit code 3: broken");
});

full.concurrent(
  "stream mode sends each message and tool at once, batch mode together",
  async ({ expect, onTestFinished }) => {
    const box = workflowSandbox(onTestFinished);
    const script = "printf 'one\\n---\\nTOOL ls\\n---\\ntwo'";
    box.says(script, script);
    const streamed = await box.drive(aWorkflow([aStep("say", "Say")]), "x", { TEST_MODE: "stream" });
    expect(texts(streamed.told)).toEqual([
      "Step 1/1: say",
      "one",
      "Bash: ls",
      "two",
      "**Workflow complete**: test (1 step)",
    ]);
    const batched = await box.drive(aWorkflow([aStep("say", "Say")]));
    expect(texts(batched.told)).toEqual(["Step 1/1: say", "one\n\ntwo", "**Workflow complete**: test (1 step)"]);
  },
);

test.concurrent("interrupted, cancelled, and what cannot start", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("echo one", "sleep 30", "sleep 30");
  const workflow = aWorkflow([aStep("plan", "Plan"), aLoop("loop", "Go")]);
  const first = await box.begin(workflow);
  await first.saw("Iteration 1/5");
  first.child.kill("SIGINT");
  const paused = await first.ended;
  expect(paused.state).toMatchObject({ status: "interrupted", detail: "interrupted by Ctrl-C", part: 1 });
  expect(paused.told.at(-1)?.text).toContain(`ralph workflow resume ${paused.id}`);
  const second = await box.again("resume", paused.id);
  await second.saw('"run.taken"');
  await (await box.again("cancel", paused.id)).ended;
  const cancelled = await second.ended;
  expect(cancelled.state).toMatchObject({ status: "cancelled", detail: "by a test" });
  await expectNothingLeft(box);
  expect(await wishesAbout(box, paused.id)).toEqual([]);

  const idle = await box.again("cancel", paused.id);
  await idle.ended;
  expect(idle.lines()).toEqual([{ is: "idle", wasDriven: false }]);

  const calls = box.calls().length;
  const missing = await box.drive(aWorkflow([aStep("a", "A"), aStep("b", "B", { provider: "./nobody" })]));
  expect(missing.error).toContain("agent not found: ./nobody");
  const deaf = await box.drive(aWorkflow([aStep("a", "A", { provider: "codex", tools: { allowed: [], denied: [] } })]));
  expect(deaf.error).toBe(
    '.ralph/workflows/test.yaml: step "a": allowed_tools: codex has no way to restrict its tools',
  );
  expect(box.calls()).toHaveLength(calls);
});

full.concurrent(
  "killed at any point it continues there, and does nothing twice",
  async ({ expect, onTestFinished }) => {
    const box = workflowSandbox(onTestFinished);
    // The part to be killed waits for the kill, however late that comes; an interrupted command runs again.
    const untilKilled = (nth: string) => `{ test -e ../killed-${nth} || sleep 30; }`;
    const workflow = aWorkflow([
      aStep("plan", "Plan"),
      aBash("hold", untilKilled("1")),
      aBash("mark", "echo marked >> marks.txt"),
      aLoop("loop", "Go on after [$LOOP_PREV_OUTPUT]", {
        maxIterations: 6,
        until: null,
        untilBash: `${untilKilled("$((ITERATION + 1))")}; test $ITERATION -ge 3`,
      }),
    ]);
    let running = await box.begin(workflow);
    for (const [i, moment] of ['"part.ended"', "Step 4/4", "Iteration 2/6", "Iteration 3/6"].entries()) {
      await running.saw(moment);
      running.child.kill("SIGKILL");
      const { id } = await running.ended;
      box.write(`../killed-${i + 1}`, "");
      running = await box.again("resume", id);
    }
    const { state } = await running.ended;
    expect(state).toMatchObject({ status: "completed", metadata: { iteration_count: 3 } });
    expect(box.read("marks.txt")).toBe("marked\n");
    const ended = (await box.json("list")) as { id: string; reason: string; iteration: number }[];
    expect(ended.map(({ reason, iteration }) => [reason, iteration])).toEqual([
      ["verified", 3],
      ["finished", 1],
    ]);
    await expectNothingLeft(box);
  },
);
