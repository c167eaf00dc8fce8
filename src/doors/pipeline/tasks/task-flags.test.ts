import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { type FlaggedTask, readFlags } from "./task-flags.ts";

const cwd = mkdtempSync(join(tmpdir(), "ralph-flags-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const VALUE = { id: "TASK-001", spec_id: "auth", title: "Implement login" };
const flags = (agents: FlaggedTask["agents"], more: Partial<FlaggedTask> = {}): FlaggedTask => ({
  cwd,
  value: VALUE,
  outcome: "Users can log in",
  acceptance: ["A token is returned"],
  agents,
  withoutCriteria: false,
  ...more,
});

async function refusalOf(given: FlaggedTask): Promise<string> {
  const error = await readFlags(given).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RalphError);
  expect(error).toMatchObject({ exitCode: 2, hint: expect.any(String) });
  return (error as RalphError).message;
}

test.each<[string, FlaggedTask["agents"], unknown]>([
  [
    "a promise alone",
    { coder: { promise: "AUTH" } },
    { coder: { promise: "AUTH", description: "Complete coder stage for: Implement login" } },
  ],
  [
    "a command alone, which implies external",
    { tester: { verifyCmd: "npm test" } },
    {
      tester: {
        promise: "TESTS_PASSED",
        description: "Complete tester stage for: Implement login",
        verification_method: "external",
        verification_config: { command: "npm test" },
      },
    },
  ],
  [
    "a judge, which gets the acceptance criteria",
    { qa: { promise: "QA", verify: "semantic", maxIterations: 2 } },
    {
      qa: {
        promise: "QA",
        description: "Complete qa stage for: Implement login",
        verification_method: "semantic",
        verification_config: { check_for: "{{acceptance_criteria}}" },
        max_iterations: 2,
      },
    },
  ],
])("reads %s", async (_name, agents, expected) => {
  const { completionSpec } = await readFlags(flags(agents));
  expect(completionSpec).toEqual({
    outcome: "Users can log in",
    acceptance_criteria: ["A token is returned"],
    ...(expected as object),
  });
});

test("a criteria file is read, and flags take precedence", async () => {
  writeFileSync(
    join(cwd, "qa.yaml"),
    "promise: QA\ndescription: All of it\nverificationMethod: external\nverificationConfig: { command: old, timeout: 5 }\n",
  );
  const { completionSpec } = await readFlags(flags({ qa: { file: "qa.yaml", verifyCmd: "new", maxIterations: 7 } }));
  expect(completionSpec?.qa).toEqual({
    promise: "QA",
    description: "All of it",
    verification_method: "external",
    verification_config: { command: "new", timeout: 5 },
    max_iterations: 7,
  });
});

test.each<[string, FlaggedTask, string]>([
  [
    "external without a command",
    flags({ coder: { verify: "external" } }),
    "--coder-verify-cmd: missing, expected a command",
  ],
  [
    "an unknown method",
    flags({ reviewer: { verify: "magic" } }),
    '--reviewer-verify: expected one of string_match, semantic, external, multi_stage, or plugin:<name>, got "magic"',
  ],
  [
    "stages without a file",
    flags({ qa: { verify: "multi_stage" } }),
    "--qa-criteria-file: missing, expected a list of stages",
  ],
  [
    "a command for another method",
    flags({ tester: { verify: "string_match", verifyCmd: "x" } }),
    '--tester-verify-cmd: "command" belongs to the method external, not to string_match',
  ],
  ["an empty criterion", flags({}, { acceptance: [" "] }), '--acceptance: expected text that is not empty, got " "'],
  [
    "several at once",
    flags({ coder: { verify: "external" } }, { value: { ...VALUE, id: "a b", dependencies: ["../x"] } }),
    `<id>: expected the id of the task: letters, digits, \`.\`, \`_\` and \`-\`, beginning with a letter or digit, at most 64 of them, got "a b"
--depends-on: expected the id of a task: letters, digits, \`.\`, \`_\` and \`-\`, beginning with a letter or digit, at most 64 of them, got "../x"
--coder-verify-cmd: missing, expected a command`,
  ],
  ["no outcome", flags({}, { outcome: undefined }), "--outcome: missing, expected text"],
  [
    "nothing",
    flags({}, { outcome: undefined, acceptance: undefined }),
    "--outcome and --acceptance: missing, expected { outcome, acceptance_criteria } (or use --no-criteria)",
  ],
  ["a missing file", flags({ coder: { file: "nope.yaml" } }), "there is no criteria file nope.yaml"],
])("refuses %s", async (_name, given, says) => {
  expect(await refusalOf(given)).toBe(says);
});

test.each<[string, string, string]>([
  [
    "a misspelt key",
    "promise: X\nverification_methd: external\n",
    'c.yaml:2:1: verification_methd: unknown key "verification_methd", did you mean "verification_method"?',
  ],
  [
    "a wrong value",
    "promise: X\nverificationMethod: external\nverificationConfig:\n  command: x\n  timeout: soon\n",
    'c.yaml:5:12: verification_config.timeout: expected seconds, got "soon"',
  ],
  ["a list", "- a\n", "c.yaml:1:1: expected { promise, description, verification_method }, got a list"],
  [
    "broken YAML",
    "promise: [\n",
    "c.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
])("reports %s in a criteria file with its location", async (_name, source, says) => {
  writeFileSync(join(cwd, "c.yaml"), source);
  expect((await refusalOf(flags({ coder: { file: "c.yaml" } }))).split("\n")[0]).toBe(says);
});
