import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { outputVariable, referencedVariables, variableEnvironment } from "./environment.ts";

test.each([
  ["plan", "NODE_OUTPUT_PLAN"],
  ["fix-the bug!", "NODE_OUTPUT_FIX_THE_BUG"],
  ["step 1", "NODE_OUTPUT_STEP_1"],
])("the output of %s is found as %s", (part, name) => {
  expect(outputVariable(part)).toBe(name);
});

test("values keep their names, outputs get a valid shell name", () => {
  expect(variableEnvironment({ USER_MESSAGE: "a\0b", "plan.output": "x" })).toEqual({
    USER_MESSAGE: "a\uFFFDb",
    NODE_OUTPUT_PLAN: "x",
  });
});

test("a command can be started with values of any length", () => {
  const outputs = Array.from({ length: 300 }, (_, i) => [`p${i}.output`, "€".repeat(20_000)]);
  const env = variableEnvironment({ USER_MESSAGE: "€".repeat(200_000), ...Object.fromEntries(outputs) });
  const seen = execFileSync("sh", ["-c", 'printf %s "$USER_MESSAGE" | wc -m'], {
    env: { ...process.env, LC_ALL: "C.UTF-8", ...env },
    encoding: "utf8",
  });
  expect(Number(seen)).toBeGreaterThan(39_000);
  expect(Object.keys(env)).toHaveLength(301);
});

test("names the variables that a command line uses", () => {
  const variables = { USER_MESSAGE: "m", ITERATION: "1", CONTEXT: "c" };
  expect(referencedVariables('grep "$USER_MESSAGE" x; test "$ITERATION" -gt 1', variables)).toEqual({
    USER_MESSAGE: "m",
    ITERATION: "1",
  });
});
