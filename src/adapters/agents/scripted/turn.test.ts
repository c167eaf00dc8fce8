import { expect, test } from "vitest";
import { type Scenario, scenarioSchema } from "../../../core/schema/scenario.ts";
import { fillIn, stepsFor } from "./turn.ts";

const turn = { prompt: "$& $1 $$ {{session}} `x`", iteration: 4, attempt: 2, session: "s" };

test.each<[Scenario["afterLast"], number, string | null]>([
  ["repeat", 1, "one"],
  ["repeat", 3, "three"],
  ["repeat", 9, "three"],
  ["loop", 3, "three"],
  ["loop", 4, "one"],
  ["loop", 8, "two"],
  ["fail", 3, "three"],
  ["fail", 4, null],
])("with afterLast: %s iteration %d says %s", (afterLast, iteration, said) => {
  const scenario = scenarioSchema.parse({ afterLast, iterations: [{ say: "one" }, { say: "two" }, { say: "three" }] });
  const steps = stepsFor(scenario, { ...turn, iteration });
  expect(steps).toEqual(said === null ? null : [{ do: "say", text: said }]);
});

test.each([
  [1, "first"],
  [2, "again"],
  [3, "again"],
])("attempt %d says %s", (attempt, said) => {
  const scenario = scenarioSchema.parse({ iterations: [{ say: "first", retry: [{ say: "again" }] }] });
  expect(stepsFor(scenario, { ...turn, iteration: 1, attempt })).toEqual([{ do: "say", text: said }]);
});

test("a retry without its own steps plays the same ones", () => {
  const scenario = scenarioSchema.parse({ iterations: [{ say: "first" }] });
  expect(stepsFor(scenario, { ...turn, iteration: 1 })).toEqual([{ do: "say", text: "first" }]);
});

test("fills values in literally and once", () => {
  expect(fillIn("{{prompt}}|{{prompt}}|{{iteration}}|{{attempt}}|{{session}}|{{other}}|{{ prompt }}", turn)).toBe(
    `${turn.prompt}|${turn.prompt}|4|2|s|{{other}}|{{ prompt }}`,
  );
});
