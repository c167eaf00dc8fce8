import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import type { Sandbox } from "./support/sandbox.ts";

const SETTINGS = {
  agent: { command: "agent", flags: ["--model opus", "it's {prompt}"] },
  guardrails: [
    { command: "touch ran-guardrail", failAction: "PREPEND", timeout: 90, parallel: true, hint: "mind the gap" },
  ],
  verify: ["sh check.sh"],
  scm: { tasks: ["commit", "push origin"], message: "title" },
  notify: [
    { on: "stopped", command: "touch told" },
    { on: ["verified", "waiting"], webhook: "https://me:pass@hooks.example.com:8443/T0/SECRET?key=SECRET" },
  ],
  protect: ["tests"],
  timeout: 5400,
  maxWaitMs: 60_000,
};

function withSettings(settings: object = SETTINGS): Sandbox {
  const box = inProcess();
  box.initGit();
  box.program("agent", "touch ran-agent");
  box.write(".ralph/settings.json", JSON.stringify(settings));
  box.write("check.sh", "touch ran-check");
  box.write("tests/expected", "what has to come out");
  box.write("task.md", "# Mend it\n\nAll of it.\n");
  return box;
}

/** Every file below a folder, with its content and time. */
const filesIn = (folder: string): unknown[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const [path, stats] = [join(folder, name), statSync(join(folder, name))];
      return [name, stats.mtimeMs, stats.isFile() ? readFileSync(path, "base64") : "folder"];
    });

test("shows everything that would run, and neither runs nor writes anything", async () => {
  const box = withSettings();
  const root = dirname(box.cwd);
  const before = filesIn(root);
  const { code, stdout, stderr } = await box.ralph("run", "--prompt-file", "task.md", "-m", "4", "--dry-run");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(filesIn(root)).toEqual(before);
  expect(stdout).toBe(`Dry run: nothing was started, nothing was written.
task        Mend it
folder      ${box.cwd}
settings    .ralph/settings.json
agent       agent --model opus 'it'\\''s <prompt>'
context     fresh: every iteration in a new session
completion  <response>DONE</response> or <promise>DONE</promise>, then guardrails and checks decide
guardrails  touch ran-guardrail  (PREPEND, at most 1m 30s, parallel, hint: mind the gap)
checks      sh check.sh  (at most 5m)
scm         git commit  (when guardrails pass, before the verdict, message from the task's title)
            git push origin  (after the verdict)
            left out of commits: 4 files that were changed before the loop began: .ralph/settings.json, check.sh, task.md, tests/expected
limits      4 iterations
            any cost
            any number of tokens
            1h 30m of working time
            1m of waiting for one usage limit
            stuck after 5 iterations without progress
            3 failures of the agent in a row, 3 tampered claims
time-outs   an iteration 1h, silence 20m, grace 5s
feedback    at most 5000 characters of a command's output, 12000 in all
notify      stopped → touch told
            verified, waiting → https://hooks.example.com:8443/…
protected   .ralph/settings.json
            check.sh
            tests/expected

── the prompt of iteration 1 (from task.md, read again for every iteration) ──
# Mend it

All of it.

<memory: what the earlier iterations did, from iteration 2 on>

## Completion

When the task is done, and only then, end your last message with this line:

<response>DONE</response>

It asks for verification: the checks run at once and decide. If they fail, the next prompt says why and you continue.
If you cannot continue without the user, say what is missing in <blocked>…</blocked> instead.
`);
});

test("shows unusual ways of running checks and reading claims", async () => {
  const completion = {
    nonce: true,
    zero_work_guard: false,
    require_red_first: true,
    clean_room: { setup: "make deps" },
  };
  const box = withSettings({ agent: { command: "agent" }, verify: ["sh check.sh"], completion });
  box.git("commit", "-q", "--allow-empty", "-m", "start");
  const { stdout } = await box.ralph("run", "--prompt", "x", "--dry-run");
  expect(stdout).toContain(`\
checks      sh check.sh  (at most 5m)
conditions  clean room: commands and plugins see only the commit, after make deps
            refused if all checks pass before any work
            nonce: a fresh token in the promise of every iteration
            a claim without a tool call or a change is accepted
`);
  expect(stdout).toContain("\n<response>DONE <token></response>\n");
});

test("a pattern of `protect` without a match is reported, and does not prevent the run", async () => {
  const box = withSettings({ agent: { command: "agent" }, protect: ["tests", "test/**"] });
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--dry-run");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "warning: protect: test/** matches no file, so it protects nothing\n",
  });
});

test("the same as one JSON document, with the prompt that the agent gets", async () => {
  const box = withSettings();
  const plan = await box.json("run", "--prompt", "x", "--dry-run");
  expect(plan).toMatchObject({
    title: "x",
    settingsFiles: [".ralph/settings.json"],
    agents: [{ command: "agent", commandLine: ["agent", "--model", "opus", "it's <prompt>"], prompt: "argument" }],
    guardrails: [{ command: "touch ran-guardrail", failAction: "PREPEND", timeoutMs: 90_000, parallel: true }],
    notify: [{ run: { command: "touch told" } }, { run: { webhook: "https://hooks.example.com:8443/…" } }],
    fingerprinted: [".ralph/settings.json", "check.sh", "tests/expected"],
    limits: { maxMs: 5_400_000 },
    problems: [],
  });
  box.program("agent", 'printf "%s" "$3" > told-prompt; echo "<promise>DONE</promise>"');
  await box.ralph("run", "--prompt", "x", "-m", "1", "-q");
  expect(`it's ${(plan as { prompt: string }).prompt}`).toBe(box.read("told-prompt"));
});

test("a prompt on standard input, and several agents", async () => {
  const box = withSettings({ agents: [{ command: "agent", prompt: "stdin" }, { command: "agent" }] });
  const { code, stdout } = await box.ralph("run", "--prompt", "x", "--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("\nagent       agent  <prompt on stdin>\n            agent <prompt>\n");
});

test("a missing agent is shown, with the same error as in a run", async () => {
  const box = withSettings();
  const run = await box.ralph("run", "--prompt", "x", "--agent", "nope", "--dry-run");
  expect(run.code).toBe(2);
  expect(run.stdout).toContain("\nagent       nope <prompt>\n");
  expect(run.stderr).toMatch(/^warning: agent not found: nope\n {2}help: install it/);
  const json = await box.ralph("run", "--prompt", "x", "--agent", "nope", "--dry-run", "--json");
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({ problems: [{ code: "agent-missing" }] });
});

test.each<[string, string[], RegExp]>([
  ["a missing prompt", [], /^error: no prompt was given/],
  ["a loop to resume", ["--resume", "last"], /^error: --dry-run describes a new loop/],
])("%s is refused", async (_name, args, says) => {
  const { code, stdout, stderr } = await withSettings().ralph("run", "--dry-run", ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(says);
});
