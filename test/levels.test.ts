import { describe, test } from "vitest";
import { full, sample } from "./support/effort.ts";
import { type Finished, type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";

interface Loop {
  settings?: object;
  /** What the agent does before it claims. */
  does?: string;
  args?: readonly string[];
}

function repository(finished: Finished, { settings = {}, does = "echo work > work.txt" }: Loop): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  box.program("agent", `${does}\necho '${DONE}'`);
  box.write(".ralph/settings.json", JSON.stringify(settings));
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "settings");
  return box;
}

const run = (box: Sandbox, { args = [] }: Loop, ...more: string[]) =>
  box.ralph("run", "--prompt", "Do it", "--agent", "agent", "-m", "2", ...args, ...more);

const stages = (...list: object[]) => ({
  completion: { verification_method: "multi_stage", verification_config: { stages: list } },
});
const command = (name: string, text: string, more: object = {}) => ({
  name,
  method: "external",
  config: { command: text },
  ...more,
});
const verify = (...commands: string[]) => commands.flatMap((text) => ["--verify", text]);

/** An agent that also judges: it is called with RALPH_PURPOSE=ask. */
const JUDGE = (answer: object) =>
  `[ "$RALPH_PURPOSE" = ask ] && { cat > /dev/null; echo '${JSON.stringify(answer)}'; exit 0; }\necho the work is done here > work.txt`;
const APPROVED = { findings: [{ criterion: 1, is: "proved", quote: "the work is done here", reason: "it is there" }] };
const semantic = (more: object = {}) => ({
  completion: { verification_method: "semantic", verification_config: { check_for: ["there is work"], ...more } },
});

const UNREACHABLE = { provider: "openai", base_url: "http://127.0.0.1:1/v1", api_key_env: "HOME", model: "small" };

describe("the stop reason of a completed loop is its level", () => {
  test.concurrent.for<[string, string, Loop]>(
    sample(
      [
        ["verified", "a check goes from red to green", { args: verify("test -f work.txt") }],
        ["verified", "one of two does, and the other passed before", { args: verify("true", "test -f work.txt") }],
        ["verified", "a stage of criteria does", { settings: stages(command("there", "test -f work.txt")) }],
        [
          "verified",
          "an acceptance criterion with a command does",
          { settings: { completion: { acceptance_criteria: [{ text: "work", check: "test -f work.txt" }] } } },
        ],
        ["still-green", "the check passed before, too", { args: verify("true") }],
        [
          "still-green",
          "no baseline was taken",
          { settings: { completion: { baseline: false } }, args: verify("test -f work.txt") },
        ],
        ["still-green", "guardrails alone pass", { settings: { guardrails: [{ command: "test -f work.txt" }] } }],
        [
          "still-green",
          "only an optional stage went green",
          { settings: stages(command("must", "true"), command("may", "test -f work.txt", { required: false })) },
        ],
        [
          "still-green",
          "a pattern is absent, and nothing was judged",
          {
            settings: {
              completion: { verification_method: "semantic", verification_config: { negative_patterns: ["TODO"] } },
            },
          },
        ],
        ["promise-only", "there is no check at all", {}],
        [
          "promise-only",
          "the promise is the only stage",
          { settings: stages({ name: "word", method: "string_match" }) },
        ],
        ["promise-only", "the method is switched off", { settings: { completion: { verify_promises: false } } }],
        ["judged", "a judge approves", { settings: semantic(), does: JUDGE(APPROVED) }],
        [
          "judged",
          "a judge approves beside a check that passed before",
          { settings: semantic(), does: JUDGE(APPROVED), args: verify("true") },
        ],
        [
          "verified",
          "a judge approves beside a check that went green",
          { settings: semantic(), does: JUDGE(APPROVED), args: verify("test -f work.txt") },
        ],
        [
          "promise-only",
          "the judge did not answer, and the promise stood in for it",
          {
            settings: { completion: { ...semantic({ on_error: "string_match" }).completion, judge: UNREACHABLE } },
          },
        ],
      ],
      4,
    ),
  )("%s: %s", async ([level, , loop], { expect, onTestFinished }) => {
    const box = repository(onTestFinished, loop);
    const { code, stderr } = await run(box, loop);
    expect(stderr).toMatch(new RegExp(`^[✓~?] ${level}\\b`, "m"));
    expect(code).toBe(0);
    expect(await box.json("list")).toMatchObject([{ reason: level }]);
    expect((await box.ralph("why")).stdout).toContain(`stopped: ${level}`);
    if (level !== "verified") expect(stderr).not.toContain("✓ verified");
  });
});

test.concurrent.for<[string, number, Loop]>(
  sample(
    [
      ["verified", 0, { args: verify("test -f work.txt") }],
      ["judged", 0, { settings: semantic(), does: JUDGE(APPROVED) }],
      ["still-green", 1, { args: verify("true") }],
      ["promise-only", 1, {}],
    ],
    1,
  ),
)("--strict: %s exits %i, also if set in the settings; it is complete and not resumed", async ([level, strict, loop], {
  expect,
  onTestFinished,
}) => {
  const box = repository(onTestFinished, loop);
  const { code, stderr } = await run(box, loop, "--strict");
  expect(code).toBe(strict);
  expect(stderr).toContain(level);
  expect(stderr.includes("--strict requires judged or better")).toBe(strict === 1);
  const { settings = {} } = loop;
  const other = repository(onTestFinished, { ...loop, settings: { ...settings, proof: "strict" } });
  expect((await run(other, loop)).code).toBe(strict);
  const again = await other.ralph("resume");
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`is already complete (${level})`)]);
  expect(again.stderr).toMatch(/`ralph receipt verify \w+ --rerun` checks it again/);
});

full.concurrent(
  "completion.strict keeps its meaning: the tag alone on its line",
  async ({ expect, onTestFinished }) => {
    const loop: Loop = { settings: { completion: { strict: true } }, args: verify("test -f work.txt") };
    const box = repository(onTestFinished, { ...loop, does: "echo work > work.txt; printf 'Done: '" });
    const { code, stderr } = await run(box, loop);
    expect(stderr).toContain("iteration-limit");
    expect(code).toBe(1);
  },
);

const idle = (more: Loop = {}): Loop => ({ does: ":", args: verify("true"), ...more });

describe("a claim without any work is refused once, and then ends the loop", () => {
  test.concurrent.for<[string, Loop]>(
    sample(
      [
        ["passing tests and an agent that does nothing", idle()],
        ["no check at all", idle({ args: [] })],
        ["guardrails alone", idle({ args: [], settings: { guardrails: [{ command: "true" }] } })],
        ["it writes ignored files", idle({ does: "mkdir -p node_modules; echo x > node_modules/x", settings: {} })],
        ["it writes a log that looks like Ralph's", idle({ does: "echo x > .ralph/guardrail_1_x.log" })],
        [
          "it writes a receipt that looks like Ralph's",
          idle({ does: "mkdir -p .ralph/receipts; echo {} > .ralph/receipts/0a1b2c3d.json" }),
        ],
        ["it writes an execution log", idle({ does: "echo {} >> .ralph/execution.jsonl" })],
        ["it changes a file and changes it back", idle({ does: "echo x >> keep.txt; git checkout -q keep.txt" })],
        [
          "only Ralph commits the user's uncommitted changes",
          idle({ settings: { scm: { tasks: ["commit"] } }, args: ["--verify", "true", "-m", "4"] }),
        ],
        ["it touches a file without changing it", idle({ does: "touch keep.txt" })],
        [
          "only a guardrail writes files",
          idle({
            settings: { guardrails: [{ command: "date +%N > stamp; echo x >> keep.txt" }] },
            args: ["--verify", "true", "-m", "4"],
          }),
        ],
      ],
      1,
    ),
  )("%s", async ([name, loop], { expect, onTestFinished }) => {
    const box = repository(onTestFinished, loop);
    box.write(".gitignore", "node_modules\n");
    box.write("keep.txt", "kept\n");
    box.git("add", ".gitignore", "keep.txt");
    box.git("commit", "--quiet", "-m", "files");
    if (name.includes("Ralph commits")) box.write("users.txt", "the user's own\n");
    const { code, stderr } = await run(box, loop);
    expect(stderr).toContain("■ no-work");
    expect(code).toBe(1);
    expect(await box.json("list")).toMatchObject([{ reason: "no-work", iteration: 2 }]);
    expect(stderr).not.toContain("receipt:");
  });

  full.concurrent.for<[string, Loop, string]>([
    ["it changes a file", { args: verify("true") }, "still-green"],
    ["it adds a file", { does: "echo x > new.txt", args: verify("true") }, "still-green"],
    ["it deletes a file", { does: "rm -f keep.txt", args: verify("true") }, "still-green"],
    ["it commits", { does: "echo x > y; git add y; git commit -qm y", args: verify("true") }, "still-green"],
    ["it commits uncommitted changes", { does: "git add -A; git commit -qm all", args: verify("true") }, "still-green"],
    ["it makes a file executable", { does: "chmod +x keep.txt", args: verify("true") }, "still-green"],
    [
      "its work is outside the checkout, and a check passes now",
      { does: "echo x > ../elsewhere", args: verify("test -f ../elsewhere") },
      "verified",
    ],
    [
      "questions and reports turn the guard off",
      { does: ":", settings: { completion: { zero_work_guard: false } } },
      "promise-only",
    ],
    [
      "it works in the first iteration, and claims in the second",
      { does: `[ -f w ] || { echo w > w; exit 0; }`, args: verify("true") },
      "still-green",
    ],
  ])("honest: %s", async ([, loop, level], { expect, onTestFinished }) => {
    const box = repository(onTestFinished, loop);
    box.write("keep.txt", "kept\n");
    box.git("add", "keep.txt");
    box.git("commit", "--quiet", "-m", "files");
    box.write("uncommitted.txt", "of the user\n");
    const { code, stderr } = await run(box, loop);
    expect(stderr).toContain(level);
    expect(code).toBe(0);
  });

  full.concurrent("the feedback says what to do, and work after it is accepted", async ({ expect, onTestFinished }) => {
    const does = `cat > ../prompt-$RALPH_ITERATION; [ "$RALPH_ITERATION" = 1 ] || echo w > w`;
    const loop: Loop = { does, args: verify("true"), settings: { agent: { command: "agent", prompt: "stdin" } } };
    const box = repository(onTestFinished, loop);
    const { code, stderr } = await box.ralph("run", "--prompt", "Do it", "--verify", "true");
    expect(stderr).toContain("still-green");
    expect(code).toBe(0);
    expect(box.read("../prompt-2")).toContain("no tool was used and nothing was changed since the loop began");
    expect(box.read("../prompt-2")).toContain("zero_work_guard: false");
  });

  full.concurrent("a user who resumes gives it another chance", async ({ expect, onTestFinished }) => {
    const box = repository(onTestFinished, idle());
    expect((await run(box, idle(), "-m", "9")).stderr).toContain("■ no-work");
    box.program("agent", `echo w > w; echo '${DONE}'`);
    const { code, stderr } = await box.ralph("resume");
    expect(stderr).toContain("~ still-green");
    expect(code).toBe(0);
  });

  full.concurrent("a state folder inside the checkout does not count as work", async ({ expect, onTestFinished }) => {
    const box = repository(onTestFinished, idle());
    const args = ["run", "--prompt", "x", "--agent", "agent", "--verify", "true"];
    const { stderr } = await box.start(args, { RALPH_STATE_DIR: box.path(".state") }).ended;
    expect(stderr).toContain("■ no-work");
    expect(box.git("status", "--porcelain")).toBe("");
  });

  full.concurrent("an agent that reports no tools is not guarded outside git", async ({ expect, onTestFinished }) => {
    const box = sandbox(onTestFinished);
    box.program("agent", `echo '${DONE}'`);
    const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true");
    expect(stderr).toContain("still-green");
    expect(code).toBe(0);
  });
});
