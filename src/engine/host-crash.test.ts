import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { playHosted } from "../../test/support/simulation/host.ts";
import { type Played, play } from "../../test/support/simulation/schedule.ts";
import { scripts } from "../../test/support/simulation/scripts.ts";

/** A host reports only turns that ended well; the time that a crash takes counts as its own. */
const hosted = scripts.filter(
  ({ fault, ends, limits, finds, session }) => !fault && !ends && !finds && !session && limits?.maxMs === undefined,
);

const essenceOf = ({ world, stops }: Played) => ({
  reason: stops.at(-1),
  ended: world.journal.flatMap(({ event }) => (event.type === "turn.ended" ? [event.n] : [])),
  effects: world.effects,
  spent: world.state.spent,
  verdicts: world.journal.flatMap(({ event }) => (event.type === "claim.judged" ? [event.verdict.is] : [])),
});

/** The world itself checks that nothing is done twice. */
async function hold(script: (typeof scripts)[number], reference: Played, dies: readonly number[]): Promise<number[]> {
  const played = await playHosted(script, dies);
  const at = `${script.name}, killed at ${dies.join(", ")}`;
  assert.deepEqual(essenceOf(played), essenceOf(reference), at);
  const wanted = new Map(reference.world.runs.map(({ n, prompt }) => [n, prompt]));
  for (const { n, prompt } of played.world.runs) assert.equal(prompt, wanted.get(n), at);
  assert.equal(new Set(played.world.runs.map(({ n }) => n)).size, played.world.runs.length, `${at}: told once`);
  return played.lives;
}

/** Only the program that answers the `life`-th event dies, at its `boundary`-th step. */
const killing = (life: number, boundary: number): number[] => [...Array(life).fill(Number.POSITIVE_INFINITY), boundary];

describe.each(hosted)("a host's loop that $name", (script) => {
  test("has the same result as without a host if the answer to any event dies, and the next one too", async () => {
    const reference = await play(script, {});
    const lives = await hold(script, reference, []);
    for (const [life, boundaries] of lives.entries())
      for (let first = 0; first < boundaries; first++) {
        const then = await hold(script, reference, killing(life, first));
        for (let second = 0; second < (then[life + 1] ?? 0); second += 15)
          await hold(script, reference, [...killing(life, first), second]);
      }
  });
});
