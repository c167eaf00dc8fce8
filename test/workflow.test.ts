import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { linesOf } from "./support/json-lines.ts";
import type { Sandbox } from "./support/sandbox.ts";
import { countingClaude, loopYaml, runRow, runRows, saying, withWorkflows } from "./support/workflow-box.ts";

const SCRIPTED = ["--agent", "scripted", "--scenario", "scenario.yaml"];

/** Runs the workflow of that name with a scripted agent that prints one text in each iteration. */
function play(box: Sandbox, name: string, ...texts: string[]) {
  box.write("scenario.yaml", saying(...texts));
  return box.ralph("workflow", "run", name, "Implement everything", ...SCRIPTED);
}

const progressOf = (stderr: string): string[] => stderr.match(/^\*\*(?:Iteration|Loop).*$/gm) ?? [];

describe("loop workflow execution", () => {
  test.concurrent("should execute loop and complete on signal", async ({ onTestFinished }) => {
    const prompt = "Do the thing. Output <promise>COMPLETE</promise> when done.";
    const box = withWorkflows(onTestFinished, { "test-loop": loopYaml("test-loop", { prompt }) });
    const done = "All done! <promise>COMPLETE</promise>";
    const { code, stderr, stdout } = await play(box, "test-loop", "Working on iteration 1...", "Still...", done);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(progressOf(stderr)).toEqual([
      "**Iteration 1/10**",
      "**Iteration 2/10**",
      "**Iteration 3/10**",
      "**Loop complete**: test-loop (3 iterations)",
    ]);
    // Standard output has only the agent's tools and text.
    const said = ["Working on iteration 1...", "Still...", done];
    expect(stdout).toBe(said.map((text) => `  append: work.txt\n${text}\n`).join(""));
    expect(await runRow(box)).toMatchObject({ status: "completed", metadata: { last_output: done } });
  });

  test.concurrent("should fail when max iterations reached without completion", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { "endless-loop": loopYaml("endless-loop", { max: 3 }) });
    const { code, stderr } = await play(box, "endless-loop", "Still working...");
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain(
      '**Loop incomplete**: endless-loop\n\nMax iterations (3) reached without completion signal "COMPLETE"',
    );
    expect(progressOf(stderr)).toHaveLength(4);
    expect(await runRow(box)).toMatchObject({
      status: "failed",
      metadata: { iteration_count: 3, max_iterations: 3, last_output: "Still working..." },
    });
  });

  full.concurrent("should detect completion signal in <promise> tags", async ({ onTestFinished }) => {
    const prompt = "Output <promise>DONE</promise> when finished.";
    const box = withWorkflows(onTestFinished, {
      "promise-test": loopYaml("promise-test", { until: "DONE", max: 5, prompt }),
    });
    const { code, stderr } = await play(box, "promise-test", "Done! <promise>DONE</promise>");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(progressOf(stderr)).toEqual(["**Iteration 1/5**", "**Loop complete**: promise-test (1 iterations)"]);
  });

  full.concurrent("should update metadata with iteration count", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { "metadata-test": loopYaml("metadata-test") });
    const { code, stderr } = await play(box, "metadata-test", "Not yet.", "<promise>COMPLETE</promise>");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { id, metadata } = await runRow(box);
    expect(metadata).toMatchObject({ iteration_count: 2, max_iterations: 10 });
    expect(await box.json("workflow", "runs")).toMatchObject([
      { id, workflow: "metadata-test", status: "completed", message: "Implement everything", metadata, held: false },
    ]);
  });
});

describe("Edge Cases Checklist", () => {
  full.concurrent("Loop with max_iterations = 1 (single iteration)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { once: loopYaml("once", { max: 1 }) });
    const good = await play(box, "once", "<promise>COMPLETE</promise>");
    expect(good).toMatchObject({ code: 0 });
    expect(good.stderr).toContain("**Iteration 1/1**");
    const bad = await play(box, "once", "Not yet.");
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.stderr).toContain("Max iterations (1) reached");
  });

  full.concurrent("Completion signal appears mid-message (not at end)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { mid: loopYaml("mid") });
    const text = "All of it works.\n\n<promise>COMPLETE</promise>\n\nThe commit is on main.";
    expect(await play(box, "mid", text)).toMatchObject({ code: 0 });
  });

  test.concurrent("AI error during iteration (should fail workflow)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { broken: loopYaml("broken", { max: 5 }) });
    box.write(
      "scenario.yaml",
      JSON.stringify({ iterations: [{ say: "One." }, { fail: { kind: "crashed", detail: "out of cheese" } }] }),
    );
    const { code, stderr } = await box.ralph("workflow", "run", "broken", "x", ...SCRIPTED);
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toMatch(/^\*\*Loop failed\*\* at iteration 2: .*out of cheese/m);
    expect(await runRow(box)).toMatchObject({ status: "failed", metadata: { iteration_count: 2 } });
  });

  full.concurrent.each<[string, string, RegExp]>([
    ["Empty prompt in loop workflow (should reject)", loopYaml("bad", { prompt: "" }), /prompt/],
    [
      "Both steps and loop defined (should reject)",
      `${loopYaml("bad")}steps:\n  - prompt: Plan it.\n`,
      /steps.*loop|loop.*steps/,
    ],
  ])("%s", async (_name, yaml, why) => {
    const cleanUps: (() => void)[] = [];
    const box = withWorkflows((cleanUp) => cleanUps.push(cleanUp), { bad: yaml, good: loopYaml("good") });
    try {
      const { code, stderr } = await play(box, "bad", "<promise>COMPLETE</promise>");
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expect(stderr).toContain(".ralph/workflows/bad.yaml");
      expect(stderr).toMatch(why);
      expect(existsSync(box.state)).toBe(false);
      // One bad file never hides the good ones.
      expect(await play(box, "good", "<promise>COMPLETE</promise>")).toMatchObject({ code: 0 });
    } finally {
      for (const cleanUp of cleanUps) cleanUp();
    }
  });

  full.concurrent("Completion signal with different casing (case-insensitive)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { cased: loopYaml("cased", { max: 2 }) });
    expect(await play(box, "cased", "<Promise> complete </promise>")).toMatchObject({ code: 0 });
    // Without the tag it must be alone on a line, with the same case.
    expect(await play(box, "cased", "Done.\n\nCOMPLETE")).toMatchObject({ code: 0 });
    expect(await play(box, "cased", "This is far from COMPLETE.", "Done.\n\ncomplete")).toMatchObject({ code: 1 });
  });

  full.concurrent("fresh_context: true (should not resume session)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { fresh: loopYaml("fresh", { fresh: true }) });
    box.program("claude", countingClaude('work; [ "$n" = 2 ] && say "<promise>COMPLETE</promise>" || say "Working."'));
    expect(await box.ralph("workflow", "run", "fresh", "--agent", "claude")).toMatchObject({ code: 0 });
    expect(box.read("calls.txt")).not.toContain("--resume");
  });
});

describe("Acceptance Criteria", () => {
  full.concurrent("Session continuity works (fresh_context: false preserves session)", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { kept: `${loopYaml("kept")}provider: claude\n` });
    box.program("claude", countingClaude('work; [ "$n" = 3 ] && say "<promise>COMPLETE</promise>" || say "Working."'));
    expect(await box.ralph("workflow", "run", "kept")).toMatchObject({ code: 0 });
    const calls = box.read("calls.txt").trim().split("\n");
    expect(calls.map((call) => /--resume (\S+)/.exec(call)?.[1])).toEqual([undefined, "session-1", "session-2"]);
  });

  test.concurrent("All existing step-based workflows continue to work unchanged", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, {});
    box.write(
      ".archon/workflows/feature.yaml",
      `name: feature
description: Plans, implements, and reviews afresh
provider: claude
steps:
  - command: plan
  - step: implement
  - command: review
    clearContext: true
`,
    );
    box.write(".archon/commands/plan.md", "# Plan\n\n$USER_MESSAGE for run $WORKFLOW_ID");
    box.write(".archon/commands/implement.md", "# Implement $ARGUMENTS");
    box.write(".archon/commands/review.md", "# Review\n\nThe plan was: $plan.output");
    box.program("claude", countingClaude('say "Answer $n"'));
    const { code, stderr, stdout } = await box.ralph("workflow", "run", "feature", "Add $(touch pwned) $CONTEXT");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr.match(/Step \d\/\d/g)).toEqual(["Step 1/3", "Step 2/3", "Step 3/3"]);
    expect(stdout).toBe("Answer 1\nAnswer 2\nAnswer 3\n");
    const calls = box.read("calls.txt").trim().split("\n");
    expect(calls.map((call) => /--resume (\S+)/.exec(call)?.[1])).toEqual([undefined, "session-1", undefined]);
    const { id, status, metadata } = await runRow(box);
    // The user message is never expanded again, anywhere.
    expect(calls.map((call) => call.split(" | ")[1]?.trim())).toEqual([
      `# Plan  Add $(touch pwned) $CONTEXT for run ${id}`,
      "# Implement Add $(touch pwned) $CONTEXT",
      "# Review  The plan was: Answer 1",
    ]);
    expect({ status, metadata }).toMatchObject({ status: "completed", metadata: { last_output: "Answer 3" } });
    expect(box.exists("pwned")).toBe(false);
  });

  test.concurrent("a promise only asks: the result of `verify` decides, and is reported to the agent", async ({
    onTestFinished,
  }) => {
    const more = ["verify:", "  - test -f done.txt"];
    const box = withWorkflows(onTestFinished, { proven: loopYaml("proven", { more }) });
    const claim = { say: "<promise>COMPLETE</promise>" };
    const works = {
      steps: [
        { append: { path: "prompts.txt", content: "{{prompt}}" } },
        { write: { path: "done.txt", content: "x" } },
        claim,
      ],
    };
    box.write("scenario.yaml", JSON.stringify({ iterations: [claim, works] }));
    const { code, stderr } = await box.ralph("workflow", "run", "proven", ...SCRIPTED);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("**Loop complete**: proven (2 iterations)");
    expect(box.read("prompts.txt")).toContain("test -f done.txt");
  });
});

/** Every file below a folder, with its content and time. */
const filesIn = (folder: string): unknown[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const [path, stats] = [join(folder, name), statSync(join(folder, name))];
      return [name, stats.mtimeMs, stats.isFile() ? readFileSync(path, "base64") : "folder"];
    });

const MIXED = `name: mixed
description: All kinds of parts
nodes:
  - id: plan
    prompt: "Plan it: $USER_MESSAGE"
  - id: list
    bash: echo "$USER_MESSAGE" > listed.txt
    depends_on: [plan]
  - id: work
    depends_on: [list]
    loop:
      prompt: "Work on $plan.output"
      until: COMPLETE
      max_iterations: 7
      verify: ["test -f done.txt"]
`;

describe("trying it out", () => {
  test.concurrent("--dry-run shows every prompt, and starts and writes nothing", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { mixed: MIXED });
    box.initGit();
    box.program("claude", "touch started");
    const before = filesIn(dirname(box.cwd));
    const { code, stdout, stderr } = await box.ralph(
      "workflow",
      "run",
      "mixed",
      "A wish",
      "--agent",
      "claude",
      "--dry-run",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(filesIn(dirname(box.cwd))).toEqual(before);
    expect(stdout).toMatch(/^Dry run: nothing was started, nothing was written\.\n/);
    expect(stdout).toContain("══ 1/3 plan: step ══");
    expect(stdout).toContain("Plan it: A wish");
    expect(stdout).toContain('echo "$USER_MESSAGE" > listed.txt');
    expect(stdout).toContain("Work on <output of plan>");
    expect(stdout).toMatch(/agent +claude .*<prompt on stdin>/);
    expect(stdout).toMatch(/checks +test -f done\.txt/);
    expect(stdout).toContain("7 iterations");
    // The requirement is part of the first iteration's prompt.
    expect(stdout).toContain("<promise>COMPLETE</promise>");
    expect(await box.json("workflow", "run", "mixed", "A wish", "--agent", "claude", "--dry-run")).toMatchObject({
      workflow: "mixed",
      parts: [
        { name: "plan", session: "fresh" },
        { name: "list", kind: "bash" },
        { name: "work", session: "kept", loop: { ends: "claim" } },
      ],
    });
    // A part that could not start is still described.
    const missing = await box.ralph("workflow", "run", "mixed", "A wish", "--agent", "nobody", "--dry-run");
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr.match(/agent not found: nobody/g)).toHaveLength(1);
  });

  full.concurrent("--rehearse runs every part in a copy, and leaves nothing", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { mixed: MIXED });
    box.initGit();
    box.git("add", "--all");
    box.git("commit", "--quiet", "-m", "workflow");
    box.write(
      ".ralph/settings.json",
      JSON.stringify({ notify: [{ on: "stopped", command: `touch ${box.path("told")}` }] }),
    );
    const before = filesIn(dirname(box.cwd));
    const walked = await box.ralph("workflow", "run", "mixed", "A wish", "--rehearse");
    // No real work was done, so the check refuses the loop; it still ran to its end.
    expect(walked).toMatchObject({ code: 0 });
    expect(walked.stderr).toContain("**Iteration 3/3**");
    expect(walked.stderr).toMatch(/✓ plan.*\n.*✓ list.*\n.*✗ work, 3 iterations/);
    expect(walked.stderr).toContain("--scenario <folder> plays work that your checks can accept");
    expect(filesIn(dirname(box.cwd))).toEqual(before);
    box.write("scenarios/plan.yaml", saying("Planned."));
    const work = { steps: [{ write: { path: "done.txt", content: "x" } }, { say: "<promise>COMPLETE</promise>" }] };
    box.write("scenarios/work.yaml", JSON.stringify({ iterations: [work] }));
    const before2 = filesIn(dirname(box.cwd));
    const played = await box.ralph("workflow", "run", "mixed", "A wish", "--rehearse", "--scenario", "scenarios");
    expect(played).toMatchObject({ code: 0 });
    expect(played.stderr).toMatch(/✓ work, 1 iteration/);
    expect(filesIn(dirname(box.cwd))).toEqual(before2);
    const lacking = await box.ralph("workflow", "run", "mixed", "A wish", "--rehearse", "--scenario", ".ralph");
    expect(lacking).toMatchObject({ code: 2 });
    expect(lacking.stderr).toContain("no scenario for plan, work");
  });

  full.concurrent(
    "a message is read from standard input, and required if a prompt needs it",
    async ({ onTestFinished }) => {
      const box = withWorkflows(onTestFinished, { needy: loopYaml("needy", { prompt: "Do $USER_MESSAGE" }) });
      box.write("scenario.yaml", saying("{{prompt}}\n\n<promise>COMPLETE</promise>"));
      const empty = await box.ralph("workflow", "run", "needy", ...SCRIPTED);
      expect(empty).toMatchObject({ code: 2 });
      expect(empty.stderr).toContain("needy needs a message");
      const { code, stdout, stderr } = await box.shell(
        "echo 'from a pipe' | \"$@\"",
        "workflow",
        "run",
        "needy",
        "-",
        ...SCRIPTED,
      ).ended;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toContain("Do from a pipe");
    },
  );
});

/** A loop whose second iteration hangs until it is stopped, the first time it is played. */
const HANGS = `iterations:
  - { steps: [{ append: { path: turns.txt, content: "1\\n" } }, { say: One. }] }
  - steps:
      - run: if [ -f hung ]; then exit 0; fi; touch hung; sleep 600
      - append: { path: turns.txt, content: "2\\n" }
      - say: <promise>COMPLETE</promise>
`;

describe("stopping and resuming", () => {
  const start = (box: Sandbox) => {
    box.write("scenario.yaml", HANGS);
    return box.start(["workflow", "run", "long", "Go on", ...SCRIPTED]);
  };
  /** Waits until the second iteration is running. */
  const hanging = async (box: Sandbox) => {
    while (!box.exists("hung")) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test.concurrent("resumes after Ctrl-C where it was left", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { long: loopYaml("long") });
    const running = start(box);
    await hanging(box);
    running.child.kill("SIGINT");
    const left = await running.ended;
    expect(left).toMatchObject({ code: 130 });
    expect(left.stderr.match(/\*\*Workflow paused\*\*/g)).toHaveLength(1);
    const { id, status } = await runRow(box);
    expect(status).toBe("interrupted");
    const shown = await box.ralph("status");
    expect(shown.stdout).toContain(`${id}: long, interrupted (ralph workflow resume ${id})`);
    const { code, stderr } = await box.ralph("workflow", "resume");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("**Loop complete**: long (2 iterations)");
    // The first iteration was not paid for again.
    expect(box.read("turns.txt")).toBe("1\n2\n");
    const again = await box.ralph("workflow", "resume", id);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain(`run ${id} of long has ended: completed`);
  });

  test.concurrent("resumes after kill -9, and refuses a second driver before", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { long: loopYaml("long") });
    const running = start(box);
    await hanging(box);
    const { id } = await runRow(box);
    const second = await box.ralph("workflow", "resume", id);
    expect(second).toMatchObject({ code: 1 });
    expect(second.stderr).toContain(`run ${id} is being driven by pid ${running.child.pid}`);
    running.child.kill("SIGKILL");
    await running.ended;
    expect((await box.ralph("workflow", "runs")).stdout).toContain("running (driver gone)");
    const { code, stdout } = await box.start(["workflow", "resume", "last", "--json"]).ended;
    expect(code).toBe(0);
    const lines = linesOf(stdout) as { type: string }[];
    expect(lines[0]).toMatchObject({ type: "begin", run: id, workflow: "long" });
    expect(lines.at(-1)).toMatchObject({ type: "result", run: id, status: "completed" });
    expect(box.read("turns.txt")).toBe("1\n2\n");
  });

  test.concurrent("is cancelled from another process, and its id works everywhere", async ({ onTestFinished }) => {
    const box = withWorkflows(onTestFinished, { long: loopYaml("long") });
    const running = start(box);
    await hanging(box);
    const { id } = await runRow(box);
    expect((await box.ralph("status", id)).stdout).toMatch(/status +running\n.*iteration 2\/10/);
    const cancelled = await box.ralph("cancel", id.slice(0, 6));
    expect(cancelled).toMatchObject({ code: 0, stdout: `Cancelled run ${id} of long\n` });
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(await runRow(box)).toMatchObject({ status: "cancelled" });
    const [why, logs, twice] = await Promise.all([
      box.ralph("why", id),
      box.ralph("logs", id),
      box.ralph("cancel", id),
    ]);
    expect(why.stdout).toMatch(new RegExp(`^■ cancelled: long \\(run ${id}, `));
    expect(logs.stdout).toContain("One.");
    expect(twice).toMatchObject({ code: 1, stdout: `Run ${id} had ended already: cancelled\n` });
    expect(await runRows(box)).toHaveLength(1);
  });
});

full("an unused message is reported; a run's id helps where a loop is expected", async ({ onTestFinished }) => {
  const box = withWorkflows(onTestFinished, {
    proven: loopYaml("proven", { more: ["verify: [test -f done.txt]"] }),
    left: "name: left\ndescription: x\nnodes: [{ id: wait, bash: kill -INT $PPID; sleep 20 }]\n",
    step: "name: step\ndescription: x\nsteps: [{ prompt: x }, { prompt: y }]\n",
  });
  box.initGit();
  box.program("agent", "touch done.txt; echo '<promise>COMPLETE</promise>'");
  for (const [name, code] of Object.entries({ proven: 0, left: 130, step: 0 })) {
    const run = await box.ralph("workflow", "run", name, "my words", "--agent", "agent");
    expect(run).toMatchObject({ code });
    expect(run.stderr).toContain(`! no prompt of ${name} contains $USER_MESSAGE: no agent will see your message\n`);
    expect(run.stderr.match(/cannot continue a session/g)?.length ?? 1).toBe(1);
  }
  const [proven, left, step] = (await runRows(box)).map(({ id }) => id);
  const [shown, none, resumed, last] = await Promise.all([
    box.ralph("receipt", "show", proven ?? ""),
    box.ralph("receipt", "show", step ?? ""),
    box.ralph("resume", left ?? ""),
    box.ralph("workflow", "resume"),
  ]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("test -f done.txt") });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(`run ${step} of step has no completed loop`) });
  expect(resumed.stderr).toContain(`${left} is a run of the workflow left, not a loop`);
  expect(resumed.stderr).toContain(`ralph workflow resume ${left}`);
  expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining(`ralph workflow resume ${left}`) });
});

full("the examples of `ralph workflow run --help` work as printed", async ({ onTestFinished }) => {
  const box = withWorkflows(onTestFinished, { ralph: loopYaml("ralph", { prompt: "Do $USER_MESSAGE" }) });
  const { stdout } = await box.ralph("workflow", "run", "--help");
  const examples = [...stdout.matchAll(/^ {2}(ralph workflow run .*)$/gm)].map((match) => match[1] ?? "");
  expect(examples).toHaveLength(5);
  box.program("claude", countingClaude('work; say "<promise>COMPLETE</promise>"'));
  box.program("ralph", `exec ${process.execPath} ${box.ralphPath} "$@"`);
  box.write(".ralph/settings.json", JSON.stringify({ agent: { command: "claude" } }));
  box.write("request.md", "all of it\n");
  box.write("scenarios/ralph/loop.yaml", saying("<promise>COMPLETE</promise>"));
  for (const example of examples) {
    box.program("pasted", example);
    const { code, stderr } = await box.run("pasted");
    expect({ example, code, stderr }).toMatchObject({ code: 0 });
  }
});
