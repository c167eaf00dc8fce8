import { expect, onTestFinished, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { expectNothingLeft, leftoversOf } from "./support/leftovers.ts";
import { type Running, type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";

/** Hangs in the first attempt, ignoring signals, and claims in the second. */
const STUBBORN = `
iterations:
  - steps:
      - fork: sleep 300
      - hang: { ignore: [SIGINT, SIGTERM, SIGHUP] }
    retry:
      - say: ${DONE}
`;

/** Returns once the agent ignores signals. */
async function stubborn(graceMs: number): Promise<{ box: Sandbox; run: Running }> {
  const box = sandbox();
  box.write("stubborn.yaml", STUBBORN);
  box.write(".ralph/settings.json", JSON.stringify({ graceMs }));
  const run = start(box, "--scenario", "stubborn.yaml");
  await run.saw("ignores SIGINT");
  return { box, run };
}

/** A run that must end by itself; otherwise it ends with the test. */
function start(box: Sandbox, ...args: string[]): Running {
  const run = box.start(["run", "--prompt", "x", ...args]);
  onTestFinished(() => void run.child.kill("SIGKILL"));
  return run;
}

sampled(1).each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends an agent that ignores it, and the loop resumes",
  async (signal) => {
    const { box, run } = await stubborn(100);
    run.child.kill(signal);
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`${signal}: stopping…`);
    expect(stderr).toMatch(/■ interrupted: by SIG.*\(0 iterations.*\n {2}next: ralph resume/);
    await expectNothingLeft(box);
    expect(await box.json("status", "last")).toMatchObject({ status: "stopped", reason: "interrupted", iteration: 0 });
    const resumed = await box.ralph("resume");
    expect(resumed.stderr).toMatch(/iteration 1\/10, attempt 2/);
    expect(resumed.code).toBe(0);
  },
);

test("the second Ctrl-C ends it at once", async () => {
  // With the grace period it would not end within the test.
  const { box, run } = await stubborn(600_000);
  run.child.kill("SIGINT");
  await run.saw("press again");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  await expectNothingLeft(box);
});

test("Ctrl-C during a check keeps the finished turn: a resume only checks", async () => {
  const box = sandbox();
  box.program("agent", `echo ran >>runs; echo '${DONE}'`);
  box.write(
    "check.sh",
    "test -e go && exit 0; test -e before || { touch before; exit 1; }; touch checking; sleep 300\n",
  );
  const run = start(box, "--agent", "agent", "--verify", "sh check.sh");
  await expect.poll(() => box.exists("checking")).toBe(true);
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  await expectNothingLeft(box);
  box.write("go", "");
  expect((await box.ralph("resume")).code).toBe(0);
  expect(box.read("runs")).toBe("ran\n");
});

test("Ctrl-C while waiting for a usage limit ends the wait", async () => {
  const box = sandbox();
  box.write("limit.yaml", "iterations:\n  - steps: [{ fail: { kind: rate-limited, retryAfter: 1h } }]\n");
  const run = start(box, "--scenario", "limit.yaml");
  await run.saw("waiting until");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
});

sampled(2).each<[string, string]>([
  ["in its own session, with our pipes", "setsid sleep 300 &"],
  ["in its own session, without our pipes", "setsid sleep 300 >/dev/null 2>&1 </dev/null &"],
  ["in its group, with our pipes", "sleep 300 &"],
  ["in its group, without our pipes", "sleep 300 >/dev/null 2>&1 </dev/null &"],
  ["that ignores signals", "(trap '' INT TERM HUP; while :; do sleep 1; done) &"],
])("a process that the agent leaves %s ends with the loop", async (_name, leave) => {
  const box = sandbox();
  box.program("agent", `${leave}\necho '${DONE}'`);
  const run = start(box, "--agent", "agent", "--verify", `${leave} true`);
  expect((await run.ended).code).toBe(0);
  await expectNothingLeft(box);
});

test("nothing survives a kill -9 of ralph itself", async () => {
  const { box, run } = await stubborn(100);
  await expect.poll(() => leftoversOf(box).length).toBeGreaterThan(1);
  run.child.kill("SIGKILL");
  await run.ended;
  await expectNothingLeft(box);
  expect((await box.ralph("resume")).code).toBe(0);
});

full.each<[string, string[], RegExp]>([
  ["--iteration-timeout", ["--iteration-timeout", "300ms"], /timed-out\): it did not finish within 300ms/],
  ["--idle-timeout", ["--idle-timeout", "300ms"], /timed-out\): it printed nothing for 300ms/],
])("an agent that hangs is ended by %s", async (_name, args, says) => {
  const box = sandbox();
  box.write(".ralph/settings.json", '{"graceMs": 50}');
  box.program("agent", "trap '' INT TERM; echo here; sleep 300 & while :; do wait; done");
  const run = start(box, "--agent", "agent", "-m", "1", ...args);
  const { code, stderr } = await run.ended;
  expect(stderr).toMatch(says);
  expect(stderr).toContain("■ iteration-limit");
  expect(code).toBe(1);
  await expectNothingLeft(box);
});

test("--timeout ends the current turn and stops the loop", async () => {
  const box = sandbox();
  box.program("agent", "sleep 300");
  const run = start(box, "--agent", "agent", "--timeout", "500ms");
  const { code, stderr } = await run.ended;
  expect(stderr).toMatch(/■ time-limit: .*\n {2}next: ralph resume .* --timeout/);
  expect(code).toBe(1);
});

test("a check that hangs is ended by checkTimeout and refutes the claim", async () => {
  const box = sandbox();
  box.program("agent", `echo '${DONE}'`);
  box.write(".ralph/settings.json", '{"checkTimeout": 0.3, "graceMs": 50}');
  const check = "trap '' INT TERM; sleep 300; sleep 300";
  const run = start(box, "--agent", "agent", "-m", "1", "--verify", check);
  const { code, stderr } = await run.ended;
  expect(stderr).toMatch(/✗ not proven \(fail\): .*timed out after 300ms/);
  expect(code).toBe(1);
  await expectNothingLeft(box);
});

sampled(1).each<[string, string[]]>([
  ["people read", []],
  ["scripts read", ["--json"]],
])("a reader of what %s may close: the loop continues", async (_name, args) => {
  const box = sandbox();
  box.program(
    "agent",
    `i=0; while [ $i -lt 50 ]; do echo "line $i"; i=$((i+1)); done; sleep 0.1; echo more
[ "$RALPH_ITERATION" -lt 3 ] || echo '${DONE}'`,
  );
  const { stdout } = await box.shell('"$@" 2>&1 | head -1', "run", "--prompt", "x", "--agent", "agent", ...args).ended;
  expect(stdout.split("\n")).toHaveLength(2);
  expect(await box.json("status", "last")).toMatchObject({ reason: "promise-only", iteration: 3 });
});
