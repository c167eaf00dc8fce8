import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { sandbox } from "./support/sandbox.ts";

test("the demo rejects a false promise, is stopped by a guardrail, then verifies", async () => {
  const { code, stdout, stderr } = await sandbox().ralph("demo");
  expect(code).toBe(0);
  expect(stdout.match(/<promise>DONE<\/promise>/g)).toHaveLength(3);
  const inOrder = [
    "iteration 1/10",
    "✗ not proven",
    "iteration 2/10",
    "✗ guardrail",
    "iteration 3/10",
    "✓ verified",
    "ralph why",
  ];
  const positions = inOrder.map((text) => stderr.indexOf(text));
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(positions[0]).toBeGreaterThan(0);
});

full("its hints lead to output", async () => {
  const box = sandbox();
  const { stderr } = await box.ralph("demo");
  const state = /export RALPH_STATE_DIR=(\S+)/.exec(stderr)?.[1] ?? "";
  const why = await box.start(["why", "last"], { RALPH_STATE_DIR: state }).ended;
  expect(why.stdout).toContain("decision  stopped: verified");
  const receipt = await box.start(["receipt"], { RALPH_STATE_DIR: state }).ended;
  expect(receipt.stdout).toContain("check     ✓ node check.mjs (exit code 0");
  const logs = await box.start(["logs", "last"], { RALPH_STATE_DIR: state }).ended;
  expect(logs.stdout).toContain("The bounds are swapped.");
  const repository = /git -C (\S+) log/.exec(stderr)?.[1] ?? "";
  expect(box.git("-C", repository, "log", "--format=%b")).toContain("Ralph-Effect:");
});
