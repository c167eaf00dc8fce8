import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runs } from "../../../test/support/effort.ts";
import { completion } from "./criteria.ts";
import { faultsOf } from "./faults.ts";
import { camelCase } from "./messages.ts";
import { readRalphSettings } from "./ralph.ts";
import { readCriteria, readTaskCompletion } from "./read-criteria.ts";
import { documentSpelling } from "./spelling.ts";

/** The example tasks of the documents, with our own values. */
const EXAMPLES: readonly [string, string][] = [
  [
    "a promise alone",
    "{ promise: FEATURE_IMPLEMENTED, description: The basics are there, verification_method: string_match }",
  ],
  [
    "a judge with patterns",
    `
promise: CODE_REVIEWED
description: Follows our conventions and has no holes
verification_method: semantic
verification_config:
  check_for:
    - no secrets in the code
    - input is validated
  negative_patterns: [security concern, should be reviewed]
  model: haiku
`,
  ],
  [
    "every option of a command",
    `
promise: TESTS_PASS
description: All tests pass
verification_method: external
verification_config:
  command: "pytest tests/ --cov=src --cov-fail-under=80"
  success_exit_code: 0
  output_contains: passed
  output_not_contains: FAILED
  timeout: 300
  working_dir: "."
`,
  ],
  [
    "a command whose output counts",
    `
promise: API_WORKING
description: It answers
verification_method: external
verification_config:
  command: "curl -s -o /dev/null -w '%{http_code}' http://localhost:8000/health"
  output_contains: "200"
`,
  ],
  [
    "a command of several lines",
    `
promise: AUTH_IMPLEMENTED
description: In place and committed
verification_method: external
verification_config:
  command: |
    test -f src/middleware.py &&
    grep -q "verify" src/middleware.py
  success_exit_code: 0
max_iterations: 15
`,
  ],
  [
    "stages of every kind",
    `
promise: QA_COMPLETE
description: Everything was looked at
verification_method: multi_stage
verification_config:
  require_all: true
  stages:
    - name: unit_tests
      method: external
      config: { command: pytest tests/unit/, success_exit_code: 0 }
      required: true
    - name: acceptance_criteria
      method: semantic
      config:
        check_for: "{{acceptance_criteria}}"
      required: true
    - name: no_todos
      method: semantic
      config: { negative_patterns: [TODO, FIXME] }
    - name: coverage_check
      method: external
      config: { command: coverage report --fail-under=80 }
      required: false
max_iterations: 5
`,
  ],
];

test.each(EXAMPLES)("an example of the documents is read unchanged: %s", (_name, text) => {
  const given = parse(text);
  expect(readCriteria(given).data).toEqual(given);
});

test("the documents' task is read unchanged", () => {
  const [coder, reviewer, tester, qa] = [4, 1, 2, 5].map((i) => parse(EXAMPLES[i]?.[1] ?? ""));
  const given = {
    outcome: "Every endpoint wants a token",
    acceptance_criteria: ["A wrong token is answered with 401", { text: "Tokens expire", check: "npm test -- expiry" }],
    ...{ coder, reviewer, tester, qa },
  };
  expect(readTaskCompletion(given).data).toEqual(given);
  expect(readTaskCompletion({ ...given, qa: null }).data).toEqual({ ...given, qa: null });
});

test("the documents' configuration is read unchanged, and in the other spelling", () => {
  const given = {
    enabled: true,
    default_max_iterations: 10,
    default_verification: "string_match",
    verify_promises: true,
    coder: { enabled: true, max_iterations: 15, completion_promise: "IMPLEMENTATION_COMPLETE" },
    qa: { enabled: false, max_iterations: 5, completion_promise: "QA_PASSED" },
  };
  expect(readRalphSettings(given).data).toEqual(given);
  expect(readRalphSettings(camelCased(given)).data).toEqual(given);
});

describe("mistakes are reported with their location", () => {
  const criteria = (more: object) => ({ promise: "X", ...more });
  const external = (config: object) => criteria({ verification_method: "external", verification_config: config });
  const staged = (stage: object) =>
    criteria({
      verification_method: "multi_stage",
      verification_config: { stages: [{ method: "string_match" }, stage] },
    });
  const place = "verification_config.stages[1]";

  test.each<[string, unknown, string]>([
    ["no promise", { description: "x" }, "promise: missing, expected text"],
    ["an empty promise", { promise: " " }, 'promise: expected text that is not empty, got ""'],
    [
      "a misspelt key",
      criteria({ verification_metod: "external" }),
      'verification_metod: unknown key "verification_metod", did you mean "verification_method"?',
    ],
    [
      "a misspelt key in the other spelling",
      criteria({ verificationMetod: "external" }),
      'verificationMetod: unknown key "verificationMetod", did you mean "verificationMethod"?',
    ],
    [
      "both spellings at once",
      criteria({ max_iterations: 1, maxIterations: 2 }),
      'maxIterations: unknown key "maxIterations": the same as "max_iterations" in another spelling, and both are given',
    ],
    [
      "an unknown method",
      criteria({ verification_method: "magic" }),
      'verification_method: expected one of string_match, semantic, external, multi_stage, or plugin:<name>, got "magic"',
    ],
    [
      "a missing command",
      criteria({ verification_method: "external" }),
      "verification_config.command: missing, expected a command",
    ],
    ["an empty command", external({ command: "" }), 'verification_config.command: expected a command, got ""'],
    ["a wrong type", external({ command: 5 }), "verification_config.command: expected a command, got the number 5"],
    [
      "a timeout in words",
      external({ command: "x", timeout: "5m" }),
      'verification_config.timeout: expected seconds, got "5m"',
    ],
    [
      "the configuration of another method",
      criteria({ verification_method: "semantic", verification_config: { command: "npm test" } }),
      'verification_config.command: "command" belongs to the method external, not to semantic',
    ],
    [
      "a configuration that is not needed",
      criteria({ verification_method: "string_match", verification_config: { check_for: ["x"] } }),
      'verification_config.check_for: "check_for" belongs to the method semantic, not to string_match',
    ],
    [
      "a configuration without a method",
      criteria({ verification_config: { timeout: 3 } }),
      "verification_config: the method is missing: expected verification_method or verification_template next to it",
    ],
    [
      "a template beside a method",
      criteria({ verification_method: "external", verification_template: "lint" }),
      "verification_template: expected either verification_template or verification_method, got both",
    ],
    [
      "no stages",
      criteria({ verification_method: "multi_stage", verification_config: { stages: [] } }),
      "verification_config.stages: expected at least one stage, got a list",
    ],
    [
      "no iterations",
      criteria({ max_iterations: 0 }),
      "max_iterations: expected a whole number from 1, got the number 0",
    ],
    [
      "half an iteration",
      criteria({ max_iterations: 1.5 }),
      "max_iterations: expected a whole number, got the number 1.5",
    ],
    ["an unknown key of a stage", staged({ nam: "x" }), `${place}.nam: unknown key "nam", did you mean "name"?`],
    [
      "an unknown key of a stage's configuration",
      staged({ method: "external", config: { comand: "x" } }),
      `${place}.config.comand: unknown key "comand", did you mean "command"?`,
    ],
    [
      "a mistake in stages of stages",
      staged({ method: "multi_stage", config: { stages: [{ method: "semantic", config: { check_for: [""] } }] } }),
      `${place}.config.stages[0].config.check_for[0]: expected text that is not empty, got ""`,
    ],
  ])("%s", (_name, value, says) => {
    const { error } = readCriteria(value);
    expect(error && faultsOf(error).map(({ text }) => text)).toContain(says);
  });

  test("of a task", () => {
    const { error } = readTaskCompletion({ acceptance_criteria: [{ text: "x", chek: "y" }], coder: { promise: 1 } });
    expect(error && faultsOf(error).map(({ text }) => text)).toEqual([
      "outcome: missing, expected text",
      'acceptance_criteria[0].chek: unknown key "chek", did you mean "check"?',
      "coder.promise: expected text, got the number 1",
    ]);
  });
});

test.each([
  [{ command: "npm test" }, true],
  [{ stages: [{}] }, true],
  [{ negative_patterns: "TODO" }, true],
  [{ command: "npm test", check_for: "x" }, false],
])("a configuration without a method is read by its only possible meaning: %o", (verification_config, fits) => {
  expect(completion.safeParse({ verification_config }).success).toBe(fits);
});

test("the user's own names are left alone", () => {
  const given = {
    verificationMethod: "multi_stage",
    verificationConfig: {
      stages: [
        { method: "external", config: { command: "x", env: { checkFor: "1", maxIterations: "2" } } },
        { method: "plugin:mine", config: { checkFor: { outputContains: 1 } } },
        { template: "mine", config: { workingDir: "x" } },
      ],
    },
  };
  expect(documentSpelling(given)).toEqual({
    verification_method: "multi_stage",
    verification_config: given.verificationConfig,
  });
});

/** Every key in the other spelling, except the user's own. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== "object" || value === null) return value;
  const map: object = value;
  const isPlugin = "method" in map && String(map.method).startsWith("plugin:");
  return Object.fromEntries(
    Object.entries(map).map(([key, inner]) => [
      camelCase(key),
      key === "env" || (isPlugin && key === "config") ? inner : camelCased(inner),
    ]),
  );
}

const words = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "");
const trimmed = words.map((text) => text.trim());
// JSON and zod preserve neither the key "__proto__" nor a negative zero.
const names = words.filter((text) => text !== "__proto__");
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "proto")));
const someOf = fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 3 }));
const optional = <T>(shape: Record<string, fc.Arbitrary<T>>) => fc.record(shape, { requiredKeys: [] });

const externalConfig = fc.record(
  {
    command: words,
    success_exit_code: fc.integer({ min: 0, max: 255 }),
    output_contains: someOf,
    output_not_contains: someOf,
    timeout: fc.integer({ min: 1, max: 9_999 }),
    working_dir: trimmed,
    env: fc.dictionary(names, words, { noNullPrototype: true }),
  },
  { requiredKeys: ["command"] },
);
const semanticConfig = optional<unknown>({
  check_for: someOf,
  negative_patterns: someOf,
  model: trimmed,
  on_error: fc.constantFrom("string_match", "unknown"),
});
const { stage } = fc.letrec<{ stage: Record<string, unknown> }>((tie) => {
  const how = fc.oneof(
    { depthSize: "small" },
    fc.constant({ method: "string_match" }),
    fc.record({ method: fc.constant("external"), config: externalConfig }),
    fc.record({ method: fc.constant("semantic"), config: semanticConfig }),
    fc.record({
      method: fc.constant("plugin:mine"),
      config: fc.dictionary(names, json, { noNullPrototype: true }),
    }),
    fc.record({
      method: fc.constant("multi_stage"),
      config: fc.record(
        { stages: fc.array(tie("stage"), { minLength: 1, maxLength: 3 }), require_all: fc.boolean() },
        { requiredKeys: ["stages"] },
      ),
    }),
  );
  const beside = optional<unknown>({
    name: trimmed,
    required: fc.boolean(),
    parallel: fc.boolean(),
    cache: fc.boolean(),
  });
  return { stage: fc.tuple(how, beside).map(([a, b]) => ({ ...a, ...b })) };
});
const criteria = fc
  .tuple(
    fc.record(
      {
        promise: trimmed,
        description: words,
        max_iterations: fc.option(fc.integer({ min: 1, max: 99 })),
        protect: fc.array(trimmed),
        clean_room: fc.oneof(fc.boolean(), optional<unknown>({ setup: words, cached: fc.array(trimmed) })),
        nonce: fc.boolean(),
      },
      { requiredKeys: ["promise"] },
    ),
    fc.option(fc.array(stage, { minLength: 1, maxLength: 3 })),
  )
  .map(([plain, stages]) => ({
    ...plain,
    ...(stages ? { verification_method: "multi_stage", verification_config: { stages } } : {}),
  }));
const task = fc.record(
  {
    outcome: words,
    acceptance_criteria: fc.array(
      fc.oneof(words, fc.record({ text: words, check: words }, { requiredKeys: ["text"] })),
    ),
    coder: fc.option(criteria),
    reviewer: criteria,
    tester: criteria,
    qa: criteria,
  },
  { requiredKeys: ["outcome", "acceptance_criteria"] },
);

test("nothing is added, dropped or changed in a round trip through a file, in either spelling", () => {
  fc.assert(
    fc.property(task, (given) => {
      const read = readTaskCompletion(given);
      expect(read.error).toBeUndefined();
      expect(read.data).toEqual(given);
      expect(readTaskCompletion(JSON.parse(JSON.stringify(read.data))).data).toEqual(given);
      expect(readTaskCompletion(camelCased(given)).data).toEqual(given);
    }),
    { numRuns: runs(200) },
  );
});
