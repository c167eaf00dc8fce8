import { expect, test } from "vitest";
import type { Stats } from "../src/core/stats/stats.ts";
import { full } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import type { Sandbox } from "./support/sandbox.ts";

const criteria = [
  { text: "Users can log in", check: "grep -q in login" },
  { text: "Users can log out", check: "cat logout" },
  { text: "There is a readme", check: "true" },
];
const stages = [
  { name: "unit", method: "external", config: { command: "echo 1 failed; test -f logout" } },
  { name: "docs", method: "external", required: false, config: { command: "exit 4" } },
];

/** A loop that mentions the tag, claims too early with contradicting text, and then proves it. */
function login(): Sandbox {
  const box = inProcess();
  box.initGit();
  const completion = {
    outcome: "Users can log in and out",
    acceptance_criteria: criteria,
    verification_method: "multi_stage",
    verification_config: { stages },
  };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program(
    "agent",
    `printf '%s' "$1" > "$0.prompt-$RALPH_ITERATION"
case $RALPH_ITERATION in
  1) echo in > login; echo "This is not <promise>DONE</promise> yet." ;;
  2) echo "Two tests still fail."; echo "<promise>DONE</promise>" ;;
  3) echo out > logout; echo "<promise>DONE</promise>" ;;
esac`,
  );
  return box;
}
const run = ["run", "--prompt", "Add a login", "--agent", "agent"];

test("`why` shows the full history, from before any work to the proof", async () => {
  const box = login();
  const { code, stderr } = await box.ralph(...run);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("✗ not proven (2/3 proved): cat logout: exit code 1; unit: exit code 1");
  expect(stderr).toContain("✓ verified: 3/3 criteria, 4 of 4 checks pass");
  const { stdout } = await box.ralph("why");
  const printed = stdout
    .replace(/[0-9a-f]{8,}/g, "#")
    .replace(/^logs .*/m, "logs  #")
    .replace(/[\w ]+(?=, 3\/3 proved\))/, " <time>");
  expect(printed).toBe(`\
✓ verified: Add a login (loop #, 3 iterations, <time>, 3/3 proved)
  decided: failed before the work, passes now: grep -q in login, cat logout, unit; weakened: nothing was protected
  next: ralph diff # shows the changes

  outcome   Users can log in and out

before any work
  check     fail: grep -q in login (exit code 2)
            proves: Users can log in
  check     fail: cat logout (exit code 1)
            proves: Users can log out
  check     pass: true (exit code 0)
            proves: There is a readme
  check     fail: unit: echo 1 failed; test -f logout (exit code 1)
  check     fail: docs: exit 4 (exit code 4, only warns)
  criteria  1/3 proved
  state     commit #, tree #

iteration 1
  claim     none
  guarded   negated: “<promise>DONE</promise>”
  decision  continued: no claim

iteration 2
  claim     <promise>DONE</promise> (the agent's output, characters 22–45)
  against   tests-fail: “Two tests still fail.”
  check     pass: grep -q in login (exit code 0, fixed)
            proves: Users can log in
  check     fail: cat logout (exit code 1, still failing)
            proves: Users can log out
  check     pass: true (exit code 0, already passing)
            proves: There is a readme
  check     fail: unit: echo 1 failed; test -f logout (exit code 1, still failing)
  open      Users can log out
  judged    commit #, tree #
  verdict   fail, 2/3 proved: cat logout: exit code 1; unit: exit code 1
  decision  continued: claim not proven: cat logout: exit code 1; unit: exit code 1

iteration 3
  claim     <promise>DONE</promise> (the agent's output, characters 0–23)
  check     pass: grep -q in login (exit code 0, fixed)
            proves: Users can log in
  check     pass: cat logout (exit code 0, fixed)
            proves: Users can log out
  check     pass: true (exit code 0, already passing)
            proves: There is a readme
  check     pass: unit: echo 1 failed; test -f logout (exit code 0, fixed)
  warning   fail: docs: exit 4 (exit code 4, still failing, only warns)
  judged    commit #, tree #
  verdict   pass, verified, 3/3 proved: 4 of 4 checks pass
  weak      nothing was protected
  decision  stopped: verified (4 of 4 checks pass)

logs  #
  baseline-1.log  grep -q in login
  baseline-2.log  cat logout
  baseline-4.log  echo 1 failed; test -f logout
  baseline-5.log  exit 4
  output-1.log  the agent in iteration 1, from byte 0
  output-1.log  the agent in iteration 2, from byte 41
  check-2-1-2.log  cat logout
  check-2-1-4.log  echo 1 failed; test -f logout
  output-1.log  the agent in iteration 3, from byte 87
  check-3-1-5.log  exit 4
journal: 16 entries, head #
`);
});

test("`why` names the tests that failed, and what decides next while the loop runs", async () => {
  const box = inProcess();
  box.initGit();
  const tests = ["one", "two"].map((name) => `test("has ${name}", () => assert(existsSync("${name}")));`).join("\n");
  box.write(
    "has.test.mjs",
    `import assert from "node:assert";\nimport { existsSync } from "node:fs";\nimport test from "node:test";\n${tests}\n`,
  );
  box.program(
    "agent",
    `touch one; echo '<promise>DONE</promise>'\n[ "$RALPH_ITERATION" = 1 ] || "${process.execPath}" "${box.ralphPath}" why > running`,
  );
  await box.ralph("run", "--prompt", "Add both", "--agent", "agent", "--verify", "node --test has.test.mjs", "-m", "2");
  const reason = "node --test has.test.mjs: exit code 1";
  const [running, stopped] = [box.read("running"), (await box.ralph("why")).stdout];
  expect(running).toMatch(/^… running, iteration 2 of 2: Add both \(loop \w{8}, started \w+ ago\)\n/);
  expect(running).toContain(`
  decides next: once the agent claims DONE: node --test has.test.mjs; so far: claim not proven: ${reason}
  next: ralph logs -f `);
  expect(stopped).toMatch(/^■ iteration-limit: Add both \(loop \w{8}, 2 iterations, \S+\)\n/);
  expect(stopped).toContain(`
  decided: the iteration limit was reached: 2 of 2; the last claim was not proven: ${reason} (failed: has two)
  next: ralph resume `);
  expect(stopped).toContain("(exit code 1, still failing, 2 tests, 1 failed)\n            ✗ has two\n");
  const command = "node --test has.test.mjs";
  expect(await box.json("why")).toMatchObject({
    decided: expect.stringContaining("failed: has two"),
    iterations: [{ failingTests: { [command]: ["has two"] } }, { failingTests: { [command]: ["has two"] } }],
  });
});

full("the views show which criteria are proved, also of an earlier loop", async () => {
  const box = login();
  expect((await box.ralph(...run, "-m", "2")).code).toBe(1);
  const { stdout } = await box.ralph("status", "last");
  expect(stdout).toContain("iteration 2/2, 2/3 proved");
  expect(stdout).toMatch(
    / {2}✓ Users can log in\n {2}✗ Users can log out \(cat logout does not pass\)\n {2}✓ There is a readme\n/,
  );
  expect((await box.ralph("list")).stdout).toMatch(/PROVED.*\n.* 2\/3 /);
  expect(await box.json("list")).toMatchObject([{ proved: { proved: 2, of: 3 } }]);
  const open = { text: "Users can log out", proved: false, why: "cat logout does not pass" };
  expect(await box.json("status", "last")).toMatchObject({ proved: { proved: 2, of: 3 }, criteria: [{}, open, {}] });
  expect(await box.json("why")).toMatchObject({
    criteria: [{ proved: true }, open, { proved: true }],
    baseline: { results: [{ is: "fail" }, {}, { is: "pass" }, {}, {}], proved: { proved: 1, of: 3 } },
    iterations: [
      { objection: "no-claim", ended: { doubts: [{ is: "guarded", rule: "negated" }] } },
      { objection: null, verdicts: [{ is: "fail", checks: [{ since: "fixed" }, {}, {}, {}] }] },
    ],
    next: expect.stringContaining("ralph resume"),
  });
});

full.each<[string, string[], string]>([
  ["still-green", ["--verify", "sh -n check.sh"], "every check passes, as before the work: that proves nothing new"],
  ["promise-only", [], "only the agent's word says that it is done"],
  ["verified", ["--verify", "sh check.sh"], "a check that failed before the work passes now"],
])("every view gives a loop that is %s that level, and no other", async (level, verify, means) => {
  const box = inProcess();
  box.initGit();
  box.write("check.sh", "test -f made");
  box.program("agent", "echo x > made; echo '<promise>DONE</promise>'");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", ...verify, "-q");
  const other = level === "verified" ? /still-green|promise-only/ : /verified/;
  const views = ["list", "status last", "why", "receipt show", "stats --by iteration"].map((line) => line.split(" "));
  for (const view of views) {
    const { stdout } = await box.ralph(...view);
    expect(stdout, view.join(" ")).toContain(level);
    // Statistics have a column for every level.
    if (view[0] !== "stats") expect(stdout, view.join(" ")).not.toMatch(other);
  }
  expect((await box.ralph("status", "last")).stdout).toContain(`${means}; `);
  for (const view of [["list"], ["status", "last"], ["why"]]) {
    const [loop] = [await box.json(...view)].flat();
    expect(loop, view.join(" ")).toMatchObject({ reason: level, proof: level });
  }
  expect(await box.json("why")).toMatchObject({ weak: level === "still-green" ? ["nothing was protected"] : [] });
  expect(((await box.json("stats")) as Stats).totals.levels).toMatchObject({ [level]: 1 });
  const strict = await box.ralph("receipt", "verify", "--strict");
  expect([strict.code, strict.stdout.includes("✗ too weak")]).toEqual(level === "verified" ? [0, false] : [1, true]);
});

full("a loop without criteria does not mention them", async () => {
  const box = inProcess();
  box.program("agent", "echo x > made; echo '<promise>DONE</promise>'");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true", "-q");
  expect((await box.ralph("list")).stdout).not.toContain("PROVED");
  expect((await box.ralph("why")).stdout).not.toContain("proved");
  expect(await box.json("status", "last")).toMatchObject({ proved: null });
});

full("the next prompt has what is open, then what failed, and nothing twice", async () => {
  const box = login();
  await box.ralph(...run, "-q");
  const prompt = (n: number) => box.read(`${box.bin}/agent.prompt-${n}`).replace(/\S*\/(?=[\w-]+\.log)/g, "");
  expect(prompt(1)).not.toContain("criteria");
  expect(prompt(2)).toContain("Acceptance criteria, 1/3 proved when last checked:\n- [ ] Users can log in\n");
  expect(prompt(3)).toMatch(/^Add a login\n\n## What done means\n/);
  expect(prompt(3)).toContain(`
You claimed completion (<promise>DONE</promise>) in iteration 2, but it was not proven.

Acceptance criteria, 2/3 proved:
- [x] Users can log in
- [ ] Users can log out (cat logout does not pass)
- [x] There is a readme

Command: cat logout
Result: exit code 1 (still failing: it failed before your work too)
Full output: check-2-1-2.log
Output:
cat: logout: No such file or directory

Command: echo 1 failed; test -f logout
Result: exit code 1 (still failing: it failed before your work too)
Full output: check-2-1-4.log
Output:
1 failed

Your own words contradict it too:
- tests-fail: “Two tests still fail.”
`);
});

full("feedback keeps within its limit, and still names every command", async () => {
  const box = inProcess();
  const checks = ["seq 1 4000; false", "seq 2 4000; false", "seq 3 4000; false"];
  box.write(".ralph/settings.json", JSON.stringify({ verify: checks, feedbackMaxChars: 1_500, memory: false }));
  box.program("agent", `printf '%s' "$1" > "prompt-$RALPH_ITERATION"; echo '<promise>DONE</promise>'`);
  await box.ralph("run", "--prompt", "The task.", "--agent", "agent", "-m", "2", "-q");
  const prompt = box.read("prompt-2");
  const feedback = prompt.slice("The task.\n\n".length, prompt.indexOf("\n\n## Completion"));
  expect(feedback.length).toBeLessThanOrEqual(1_500);
  for (const check of checks) expect(feedback).toContain(`Command: ${check}\nResult: exit code 1`);
  expect(feedback.match(/\n4000\b/g)).toHaveLength(3);
});
