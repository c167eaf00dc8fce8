import { expect, test } from "vitest";
import type { StopReason } from "../../../core/loop/events.ts";
import type { TaskCompletionSpec } from "../../../core/schema/criteria.ts";
import type { RalphSettings } from "../../../core/schema/ralph.ts";
import type { LoopRole } from "../../../core/task/role.ts";
import { isAdaptive, suggestion } from "./adaptive.ts";

const past = (iterations: readonly number[], place: LoopRole = "coder", reason: StopReason | null = "verified") =>
  iterations.map((iteration) => ({ part: { task: "T", place }, reason, iteration }));

test.each<[string, ReturnType<typeof past>, RalphSettings, number | null]>([
  ["enough for past loops, and a little more", past([2, 3, 3, 4, 8]), {}, 10],
  ["the same for any method of proof", [...past([2, 3, 3, 4]), ...past([8], "coder", "still-green")], {}, 10],
  ["never more than twice the default", past([40, 40, 40, 40, 40]), {}, 30],
  ["nor twice the default in the settings", past([9, 9, 9, 9, 9]), { default_max_iterations: 4 }, 8],
  ["never fewer than two", past([1, 1, 1, 1, 1]), {}, 2],
  ["none if too few were completed", past([2, 2, 2, 2]), {}, null],
  ["none from other stages", [...past([2, 2, 2, 2]), ...past([9], "qa")], {}, null],
  ["none from loops that were not completed", [...past([2, 2, 2, 2]), ...past([9], "coder", "stuck")], {}, null],
  ["none from running loops", [...past([2, 2, 2, 2]), ...past([9], "coder", null)], {}, null],
  ["none without past loops", [], {}, null],
])("suggests %s", (_name, loops, ralph, most) => {
  expect(suggestion("coder", loops, { ralph })?.maxIterations ?? null).toBe(most);
});

test("says why", () => {
  expect(suggestion("coder", past([2, 3, 3, 4, 8]), {})?.why).toBe(
    "at most 10 iterations for the coder instead of 15: its 5 completed loops needed 3 (median) and at most 8 (ralph.adaptive)",
  );
});

const SPEC: TaskCompletionSpec = { outcome: "x", acceptance_criteria: [] };

test.each<[string, RalphSettings, TaskCompletionSpec | null, boolean]>([
  ["is off by default", {}, SPEC, false],
  ["can be turned on", { adaptive: true }, SPEC, true],
  ["also without a completion spec", { adaptive: true }, null, true],
  ["yields to the task", { adaptive: true }, { ...SPEC, coder: { promise: "X", max_iterations: 3 } }, false],
  [
    "but not to a task without a limit",
    { adaptive: true },
    { ...SPEC, coder: { promise: "X", max_iterations: null } },
    true,
  ],
  ["yields to the agent's settings", { adaptive: true, coder: { max_iterations: 3 } }, SPEC, false],
  ["but not to another agent's", { adaptive: true, qa: { max_iterations: 3 } }, SPEC, true],
  ["does not apply to a single iteration", { adaptive: true, coder: { enabled: false } }, SPEC, false],
])("%s", (_name, ralph, completionSpec, is) => {
  expect(isAdaptive({ completionSpec }, "coder", { ralph })).toBe(is);
});
