import { expect, test } from "vitest";
import type { CheckResult } from "../core/loop/events.ts";
import { commandStage } from "../core/proof/methods/external.ts";
import { type Leaf, PLAIN_STAGE, type Stage } from "../core/proof/proof.ts";
import { runStages } from "./stages.ts";

const leaf = (name: string, more: Partial<Stage> = {}): Stage => ({ ...commandStage(name), ...more }) as Stage;
const optional = (name: string): Stage => leaf(name, { required: false });
const together = (...stages: Stage[]): Stage[] => stages.map((stage) => ({ ...stage, parallel: true }));
const group = (
  stages: Stage[],
  more: { required?: boolean; requireAll?: boolean; parallel?: boolean } = {},
): Stage => ({
  ...PLAIN_STAGE,
  name: "group",
  method: "multi_stage",
  stages,
  requireAll: true,
  ...more,
});

/** A stage's name decides its result: `-` fails, `?` is unknown, anything else passes. */
function answer({ name, method }: Leaf): CheckResult {
  const is = name.startsWith("-") ? "fail" : name.startsWith("?") ? "unknown" : "pass";
  return { name, command: method, is, code: 0, reason: is, excerpt: "", log: null, ms: 0 };
}

/** The results by name, optional ones in brackets. */
async function run(stages: Stage[], maxParallel = 4): Promise<string> {
  const results = await runStages(stages, { run: async (one) => answer(one), maxParallel });
  return results?.map((result) => (result.optional ? `(${result.name})` : result.name)).join(" ") ?? "stopped";
}

test.each<[string, Stage[], string]>([
  ["all of them, in order", [leaf("a"), leaf("-b"), leaf("c")], "a -b c"],
  ["a group stops at the first failure", [group([leaf("a"), leaf("-b"), leaf("c")]), leaf("d")], "a -b d"],
  ["and at the first unknown", [group([leaf("?a"), leaf("b")])], "?a"],
  ["or continues", [group([leaf("-a"), leaf("b")], { requireAll: false })], "-a b"],
  ["an optional one stops nothing, and is kept", [group([optional("-a"), leaf("b")])], "(-a) b"],
  ["neither does an unknown one", [group([optional("?a"), leaf("b")])], "(?a) b"],
  ["an optional group", [group([leaf("-a")], { required: false }), leaf("b")], "(-a) b"],
  [
    "still stops at its own first failure",
    [group([group([leaf("-a"), leaf("b")], { required: false }), leaf("c")])],
    "(-a) c",
  ],
  ["a group in a group stops both", [group([group([leaf("-a"), leaf("b")]), leaf("c")])], "-a"],
  [
    "unless the inner one fails only in optional stages",
    [group([group([optional("-a"), leaf("b")]), leaf("c")])],
    "(-a) b c",
  ],
  ["all parallel stages run", [group([...together(leaf("-a"), leaf("b")), leaf("c")])], "-a b"],
  [
    "a parallel group beside a parallel stage",
    [group(together(group([leaf("-a"), leaf("b")]), leaf("c")).concat(leaf("d")))],
    "-a c",
  ],
  ["the promise is a stage like any other", [group([leaf("a", { method: "string_match" }), leaf("b")])], "a b"],
])("%s", async (_name, stages, expected) => {
  expect(await run(stages)).toBe(expected);
});

test.each([1, 2, 3])("at most %i run at once, and their results are in declared order", async (most) => {
  let running = 0;
  let peak = 0;
  const stages = [...together(group(together(leaf("a"), leaf("b"))), leaf("c"), leaf("d")), leaf("e")];
  const alone: string[] = [];
  const results = await runStages(stages, {
    maxParallel: most,
    run: async (one) => {
      peak = Math.max(peak, ++running);
      if (running === 1) alone.push(one.name);
      // The later it was declared, the sooner it ends.
      await new Promise((done) => setTimeout(done, 40 - 8 * "abcde".indexOf(one.name)));
      running--;
      return answer(one);
    },
  });
  expect(results?.map(({ name }) => name).join("")).toBe("abcde");
  expect(peak).toBe(most);
  expect(alone).toContain("e");
});

test("an abort leaves no result, and starts nothing more", async () => {
  const begun: string[] = [];
  const stages = [leaf("a"), leaf("stop"), leaf("b")];
  const run = async (one: Leaf) => {
    begun.push(one.name);
    return one.name === "stop" ? null : answer(one);
  };
  expect(await runStages(stages, { maxParallel: 4, run })).toBeNull();
  expect(begun).toEqual(["a", "stop"]);
});

test("a result names the criterion that its stage proves", async () => {
  const stages = [leaf("a", { criterion: "it works" }), leaf("b")];
  const results = await runStages(stages, { maxParallel: 1, run: async (one) => answer(one) });
  expect(results?.map(({ criterion }) => criterion)).toEqual(["it works", undefined]);
});

test.each<[string, boolean, string, string]>([
  ["asked if the commands pass", false, "a", "a judge c"],
  ["not asked about a claim that a command refuted", false, "-a", "-a c"],
  ["asked if the result of a command is unknown", false, "?a", "?a judge c"],
  ["not asked about a claim that was refuted before", true, "a", "a c"],
])("a judge costs money, and is %s", async (_name, refuted, first, ran) => {
  const stages = [leaf(first), leaf("judge", { method: "semantic" }), leaf("c")];
  const results = await runStages(stages, { run: async (one) => answer(one), maxParallel: 1, refuted });
  expect(results?.map(({ name }) => name).join(" ")).toBe(ran);
});
