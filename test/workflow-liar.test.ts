import { resolve } from "node:path";
import { test } from "vitest";
import { full } from "./support/effort.ts";
import { aBash, aLoop, aStep, aWorkflow, workflowSandbox } from "./support/workflow-runs.ts";

test.concurrent("a step cannot weaken the checks of a later loop", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.write("check.sh", "test -f never\n");
  box.write("package.json", '{"scripts":{"test":"test -f never"}}\n');
  box.write("sum.test.js", "test('adds', () => { expect(1).toBe(1) });\n");
  const weaken = `rm sum.test.js; echo true > check.sh; echo '{"scripts":{"test":"true"}}' > package.json; echo ready`;
  const works = "echo work >> work.txt; echo '<promise>COMPLETE</promise>'";
  box.says(weaken, works, works);
  const loop = aLoop("fix", "Fix it", { maxIterations: 2, verify: ["sh check.sh", "npm test --silent"] });
  // Changes by a command of the workflow before any agent works are the user's own.
  const { state } = await box.drive(
    aWorkflow([aBash("prepare", "echo exit 1 > check.sh"), aStep("plan", "Plan"), loop]),
  );
  expect(state.status).toBe("failed");
  expect(state.detail).toContain("tampered: check.sh (changed: 1 line added, 1 removed)");
  expect(state.detail).toContain("package.json#scripts.test");
  expect(state.detail).toContain('1 test deleted: "adds"');
});

full.concurrent("nor can parallel steps, with any command after them", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.write("package.json", '{"scripts":{"test":"true"}}\n');
  const done = "echo work > work.txt; echo '<promise>COMPLETE</promise>'";
  box.says("echo script-shell=/bin/true > .npmrc", "echo script-shell=/bin/true > .npmrc", done);
  const both = { kind: "parallel", name: "both", steps: [aStep("a", "A"), aStep("b", "B")] } as const;
  const loop = aLoop("fix", "Fix it", { maxIterations: 1, verify: ["npm test --silent"] });
  const { state } = await box.drive(aWorkflow([both, aBash("mark", "npm pkg set scripts.pretest=true"), loop]));
  expect(state.status).toBe("failed");
  expect(state.detail).toContain("tampered: .npmrc (added)");
});

full.concurrent("a step may write the check, and tests, of a later loop", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.write("sum.test.js", "test('adds', () => { expect(1).toBe(1) });\n");
  const write = `echo 'test -f done' > check.sh; echo "test('more', () => { expect(1).toBe(1) });" > more.test.js
mv sum.test.js total.test.js; echo written`;
  box.says(
    write,
    "echo true > check.sh; echo '<promise>COMPLETE</promise>'",
    `echo 'test -f done' > check.sh; touch done
rm more.test.js; echo '<promise>COMPLETE</promise>'`,
    `echo "test('more', () => { expect(1).toBe(1) });" > more.test.js
echo '<promise>COMPLETE</promise>'`,
  );
  const loop = aLoop("fix", "Fix it", { verify: ["sh check.sh"] });
  const { state, events } = await box.drive(aWorkflow([aStep("write", "Write the check"), loop]));
  expect(state.status).toBe("completed");
  // Files written by the step are protected from the loop's own agent.
  expect(events.findLast((event) => event.type === "part.ended")).toMatchObject({ is: "done", iterations: 3 });
});

full.concurrent(
  "an agent that cleans up, and a command that only the user may run",
  async ({ expect, onTestFinished }) => {
    const box = workflowSandbox(onTestFinished);
    box.program("ralph", `exec '${process.execPath}' '${resolve("dist/ralph.js")}' "$@"`);
    box.says("git clean -fdxq; echo tidy");
    const keep = aBash(
      "keep",
      'echo kept > "$ARTIFACTS_DIR/x"; cat "$ARTIFACTS_DIR/x"; ralph serve --token 2>&1 || true',
    );
    const { state } = await box.drive(aWorkflow([aStep("tidy", "Tidy up"), keep]));
    expect(state.status).toBe("completed");
    expect(state.outputs.keep).toMatch(/^kept\nerror: only the user may run ralph serve --token/);
  },
);
