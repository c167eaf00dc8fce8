import { describe, expect, test } from "vitest";
import { scenarioSchema } from "./scenario.ts";

const parseStep = (step: unknown) => scenarioSchema.parse({ iterations: [{ steps: [step] }] }).iterations[0]?.steps[0];
const firstMessage = (scenario: unknown) => scenarioSchema.safeParse(scenario).error?.issues[0]?.message;

test.each<[string, unknown, unknown]>([
  ["say", { say: "hi" }, { do: "say", text: "hi" }],
  ["think", { think: "hm" }, { do: "think", text: "hm" }],
  ["split", { split: { text: "abc", every: 2 } }, { do: "split", text: "abc", every: 2 }],
  ["write", { write: { path: "a", content: "" } }, { do: "write", path: "a", content: "" }],
  ["append", { append: { path: "a", content: "x" } }, { do: "append", path: "a", content: "x" }],
  ["replace", { replace: { path: "a", old: "x", new: "" } }, { do: "replace", path: "a", old: "x", new: "" }],
  ["delete", { delete: "a" }, { do: "delete", path: "a" }],
  ["run", { run: "npm test" }, { do: "run", command: "npm test" }],
  ["fork", { fork: "sleep 9" }, { do: "fork", command: "sleep 9" }],
  [
    "usage",
    { usage: { outputTokens: 2 } },
    { do: "usage", usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 2, costUsd: 0 } },
  ],
  ["stderr", { stderr: "oops" }, { do: "stderr", text: "oops" }],
  ["raw text", { raw: "{" }, { do: "raw", output: "{" }],
  ["a flood", { raw: { bytes: 9, of: "x" } }, { do: "raw", output: { bytes: 9, of: "x" } }],
  ["fail", { fail: "network" }, { do: "fail", fault: { kind: "network" } }],
  [
    "fail with a delay",
    { fail: { kind: "rate-limited", retryAfter: "30s" } },
    { do: "fail", fault: { kind: "rate-limited", retryAfter: 30_000 } },
  ],
  ["exit", { exit: 3 }, { do: "exit", code: 3 }],
  ["hang", { hang: true }, { do: "hang", ignore: [] }],
  ["a stubborn hang", { hang: { ignore: ["SIGINT"] } }, { do: "hang", ignore: ["SIGINT"] }],
])("reads %s", (_name, written, step) => {
  expect(parseStep(written)).toEqual(step);
});

test.each<[unknown, number]>([
  ["500ms", 500],
  ["2s", 2000],
  ["1.5s", 1500],
  ["5m", 300_000],
  ["1h", 3_600_000],
  ["20d", 1_728_000_000],
  [3, 3000],
  [0.25, 250],
  ["7", 7000],
  [0, 0],
])("reads the duration %s as %d ms", (wait, ms) => {
  expect(parseStep({ wait })).toEqual({ do: "wait", ms });
});

test.each([
  ["soon"],
  [-1],
  ["-2s"],
  ["30s1m"],
  ["21d"],
  [""],
  [Number.POSITIVE_INFINITY],
])("refuses the duration %s", (wait) => {
  expect(firstMessage({ iterations: [{ wait }] })).toMatch(/^expected a duration such as 500ms, 2s or 5m/);
});

describe("iterations", () => {
  test("a single step is a whole iteration", () => {
    const say = { do: "say", text: "hi" };
    expect(scenarioSchema.parse({ iterations: [{ say: "hi" }] })).toEqual({
      afterLast: "repeat",
      iterations: [{ steps: [say], retry: [say] }],
    });
  });

  test("the retry may differ, in both forms", () => {
    const retry = [{ say: "again" }];
    const again = [{ do: "say", text: "again" }];
    const { iterations } = scenarioSchema.parse({
      iterations: [
        { fail: "auth", retry },
        { steps: [], retry },
      ],
    });
    expect(iterations.map((entry) => entry.retry)).toEqual([again, again]);
  });
});

test.each<[string, unknown, string]>([
  ["no map", "hello", 'expected a scenario: a map with `iterations`, got "hello"'],
  ["nothing", null, "expected a scenario: a map with `iterations`, got nothing"],
  ["no iterations", {}, "missing, expected a list of iterations"],
  ["empty iterations", { iterations: [] }, "expected at least one iteration"],
  [
    "a misspelt setting",
    { afterlast: "fail", iterations: [{ say: "" }] },
    'unknown key "afterlast", did you mean "afterLast"?',
  ],
  ["a wrong choice", { afterLast: "stop" }, 'expected one of repeat, fail, loop, got "stop"'],
  ["a number for text", { iterations: [{ say: 5 }] }, "expected text, got the number 5"],
  [
    "two steps in one",
    { iterations: [{ steps: [{ say: "a", run: "b" }] }] },
    "expected one step per list item, got say and run",
  ],
  ["both forms", { iterations: [{ say: "a", steps: [] }] }, "expected either `steps` or a single step, got both"],
  ["a bare word", { iterations: [{ steps: ["say"] }] }, 'expected a step, such as `say: …`, got "say"'],
  ["an exit code too high", { iterations: [{ exit: 256 }] }, "expected 0 to 255, got the number 256"],
  ["half a token", { iterations: [{ usage: { inputTokens: 0.5 } }] }, "expected a whole number, got the number 0.5"],
  [
    "an empty search",
    { iterations: [{ replace: { path: "a", old: "", new: "b" } }] },
    'expected text that is not empty, got ""',
  ],
])("explains %s", (_name, scenario, message) => {
  expect(firstMessage(scenario)).toBe(message);
});

test("suggests no key if none is similar", () => {
  expect(firstMessage({ iterations: [{ steps: [{ frobnicate: 1 }] }] })).toMatch(
    /^unknown key "frobnicate" \(expected one of say, think, /,
  );
});
