import { expect, test } from "vitest";
import { aLoop, aStep, aWorkflow } from "../../../test/support/workflow-runs.ts";
import type { Level } from "../../core/proof/level.ts";
import {
  completedWith,
  iterationBegins,
  limitReached,
  loopComplete,
  loopFailed,
  loopIncomplete,
  loopName,
  partBegins,
  stopText,
  toolCalled,
  turnWaits,
  workflowPaused,
} from "./messages.ts";

test("the document's messages, literally", () => {
  expect(iterationBegins(3, 20)).toBe("**Iteration 3/20**");
  expect(loopComplete("ralph", 3)).toBe("**Loop complete**: ralph (3 iterations)");
  expect(loopFailed(2, "no answer")).toBe("**Loop failed** at iteration 2: no answer");
  expect(loopIncomplete("ralph", limitReached(aLoop("l", "", { maxIterations: 20 }), null))).toBe(
    '**Loop incomplete**: ralph\n\nMax iterations (20) reached without completion signal "COMPLETE"',
  );
});

const together = { kind: "parallel", name: "both", steps: [aStep("a", ""), aStep("b", "")] } as const;

test.each([
  ["a step", [aStep("plan", ""), aLoop("loop", "")], 0, "Step 1/2: plan"],
  ["a loop among others", [aStep("plan", ""), aLoop("loop", "")], 1, "Step 2/2: loop"],
  ["parallel steps", [together], 0, "Step 1/1: a, b (together)"],
  ["a workflow with only a loop", [aLoop("loop", "")], 0, null],
])("the first message of %s", (_name, parts, place, text) => {
  expect(partBegins(aWorkflow(parts), place)).toBe(text);
});

test("the only loop of a workflow has the workflow's name", () => {
  expect(loopName(aWorkflow([aLoop("loop", "")]), { name: "loop" })).toBe("test");
  expect(loopName(aWorkflow([aStep("plan", ""), aLoop("loop", "")]), { name: "loop" })).toBe("loop");
});

test.each([
  ["the signal", aLoop("l", ""), null, 'Max iterations (5) reached without completion signal "COMPLETE"'],
  [
    "the last refusal",
    aLoop("l", ""),
    "npm test: exit code 1",
    'Max iterations (5) reached without completion signal "COMPLETE"\nLast verification: npm test: exit code 1',
  ],
  [
    "the command",
    aLoop("l", "", { until: null, untilBash: "make\ncheck" }),
    null,
    "Max iterations (5) reached without `make check` passing",
  ],
])("the limit names %s", (_name, part, refused, text) => {
  expect(limitReached(part, refused)).toBe(text);
});

test("the command to continue a run appears once", () => {
  const resume = "ralph workflow resume r1";
  expect(workflowPaused("s", "interrupted by SIGINT", "r1")).toMatch(
    /paused\*\*: s\n\ninterrupted by SIGINT\n\nTo continue: ralph/,
  );
  expect(workflowPaused("s", `not logged in — log in, then ${resume}`, "r1").split(resume)).toHaveLength(2);
});

test("short messages", () => {
  expect(turnWaits("rate-limited", "until 5 pm", 120_000)).toBe(
    "Waiting for 2m, then trying again: rate-limited: until 5 pm",
  );
  expect(toolCalled("Bash", "ls\n-la")).toBe("Bash: ls -la");
  expect(toolCalled("Read", "")).toBe("Read");
  expect(stopText("agent-failed", "the agent failed", "exit code 1")).toBe("exit code 1");
  expect(stopText("cost-limit", "the cost limit was reached", "$2 spent")).toBe("the cost limit was reached: $2 spent");
});

test.each<[Level, string[], string]>([
  ["verified", [], "**verified**: a check that failed before the work passes now"],
  [
    "verified",
    ["2 test files changed"],
    "**verified**: a check that failed before the work passes now; 2 test files changed",
  ],
  ["judged", [], "**judged**: a judge approved the work; no command went from red to green"],
  [
    "still-green",
    [],
    "**still-green**: every check passes, as before the work: that proves nothing new; `verify` in the loop adds a check that fails until the work is done",
  ],
  [
    "promise-only",
    ["judge unavailable"],
    "**promise-only**: only the agent's word says that it is done; judge unavailable; `verify` in the loop adds a check",
  ],
])("a completion names its proof: %s %j", (level, weak, words) => {
  expect(completedWith(level, weak)).toBe(words);
});
