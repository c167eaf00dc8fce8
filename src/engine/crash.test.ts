import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { full, runs, sample } from "../../test/support/effort.ts";
import { type Played, play, type Schedule, wakeAfterTakeover } from "../../test/support/simulation/schedule.ts";
import { scripts } from "../../test/support/simulation/scripts.ts";
import type { Script } from "../../test/support/simulation/world.ts";
import { RalphError } from "../core/errors.ts";

let schedules = 0;

/** The result of a loop, regardless of its drivers. */
function essenceOf({ world, stops }: Played) {
  const ended = world.journal.flatMap(({ event }) => (event.type === "turn.ended" ? [event.n] : []));
  return { reason: stops.at(-1), ended, effects: world.effects, sessionId: world.state.sessionId };
}

/** Invariants of every schedule; the world itself checks that nothing is done twice. */
function checkRules(played: Played, script: Script): void {
  const { world, driven, stops } = played;
  const { ended, effects, reason } = essenceOf(played);
  assert.equal(reason, script.reason);
  assert(stops.slice(0, -1).every((stop) => stop === "cancelled" || stop === "interrupted"));
  assert.deepEqual(ended, ended.map((_, i) => i + 1)); // biome-ignore format: one rule a line
  const green = ended.filter((n) => script.guardPasses?.(n) ?? true);
  assert.deepEqual(effects, green.flatMap((n) => [`commit ${n}/0`, `push ${n}/1`])); // biome-ignore format: as above
  assert.equal(world.alive.size, 0);
  // An interrupted read of the tree is repeated, and never counts as one without changes.
  assert(world.journal.every(({ event }) => event.type !== "tree.seen" || event.tree !== null));
  // The cost of the agents is known exactly, however their drivers died.
  assert.equal(
    world.state.spent.costUsd,
    [...world.paid.values()].reduce((sum, { costUsd }) => sum + costUsd, 0),
  );
  const [first, further] = [script.session ?? null, script.session ?? "session of 1"];
  for (const { n, sessionId } of world.runs) assert.equal(sessionId, n === 1 ? first : further);
  if (driven) assert.equal(JSON.stringify(driven), JSON.stringify(world.state));
}

/** The prompt of an iteration is always the same: feedback is neither lost nor changed. */
function checkPrompts({ world }: Played, reference: Played): void {
  const wanted = new Map(reference.world.runs.map(({ n, prompt }) => [n, prompt]));
  for (const { n, prompt } of world.runs) if (wanted.has(n)) assert.equal(prompt, wanted.get(n));
}

async function hold(script: Script, reference: Played, schedule: Schedule): Promise<Played> {
  schedules++;
  try {
    const played = await play(script, schedule);
    checkRules(played, script);
    checkPrompts(played, reference);
    if (!script.varies) assert.deepEqual(essenceOf(played), essenceOf(reference));
    return played;
  } catch (cause) {
    throw new Error(`${script.name}, ${JSON.stringify(schedule)}: ${String(cause)}`, { cause });
  }
}

/** Boundaries to die at, from the first to the last. */
function upTo(count: number, step = 1): readonly number[] {
  const all = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  return sample(all, runs(all.length));
}

describe.each(scripts)("a loop that $name", (script) => {
  test(`stops as ${script.reason}, also when its driver is killed at any boundary, and the next one too`, async () => {
    const reference = await hold(script, await play(script, {}), {});
    for (const first of upTo(reference.boundaries)) {
      const { boundaries } = await hold(script, reference, { dies: [first] });
      for (const second of upTo(boundaries, 15)) await hold(script, reference, { dies: [first, second] });
    }
  });

  test("continues after an environment error at any boundary", async () => {
    const reference = await play(script, {});
    for (const at of upTo(reference.boundaries)) await hold(script, reference, { dies: [at], by: "error" });
  });

  test("stops on request at any boundary, with or without a crash, and ends the same way once resumed", async () => {
    const reference = await play(script, {});
    for (const stopAtStep of upTo(reference.boundaries)) {
      await hold(script, reference, { stopAtStep });
      for (const dies of upTo(reference.boundaries, 35)) await hold(script, reference, { stopAtStep, dies: [dies] });
    }
  });

  test("is not written to by a driver that was taken over while it slept", async () => {
    for (let write = 0; ; write++) {
      const woken = await wakeAfterTakeover(script, write);
      if (!woken) return expect(write).toBeGreaterThan(0);
      schedules++;
      expect(woken.wrote).toBe(0);
      expect(woken.error).toBeInstanceOf(RalphError);
      expect(woken.error).toMatchObject({ code: "fenced" });
    }
  });
});

test("any loop survives three kills or more, and a stop between them", async () => {
  const anySchedule = fc.record({
    dies: fc.array(fc.nat({ max: 60 }), { minLength: 3, maxLength: 6 }),
    stopAtStep: fc.option(fc.nat({ max: 150 }), { nil: Number.POSITIVE_INFINITY }),
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...scripts), anySchedule, async (script, schedule) => {
      await hold(script, await play(script, {}), schedule);
    }),
    { numRuns: runs(1_000) },
  );
});

full("that makes more than 10,000 schedules", () => {
  console.log(`${schedules} crash schedules`);
  expect(schedules).toBeGreaterThan(10_000);
});
