import { test } from "vitest";
import { aStep, aWorkflow, workflowSandbox } from "./support/workflow-runs.ts";

test.concurrent("steps share a session unless one begins afresh", async ({ expect, onTestFinished }) => {
  const box = workflowSandbox(onTestFinished);
  box.says("echo the plan");
  await box.run(
    aWorkflow([
      aStep("plan", "Plan $USER_MESSAGE in run $WORKFLOW_ID on $BASE_BRANCH"),
      aStep("build", "Build what $plan.output says"),
      aStep("review", "Review", { fresh: true }),
    ]),
    "a $BASE_BRANCH thing",
  );
  expect(box.calls().map(({ resumed }) => resumed)).toEqual([null, "session-1", null]);
});
