import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import type { Sandbox } from "./support/sandbox.ts";

/**
 * Each loop by the iteration in which its agent is done, of at most five; as text: its check already passed before
 * the work.
 */
async function withLoops(...doneAt: (number | string)[]): Promise<{ box: Sandbox; ids: string[] }> {
  const box = inProcess();
  box.program(
    "slow",
    `[ "$RALPH_ITERATION" -lt "$(cat done-at)" ] || { echo x >"result-$(cat name)"; echo '<promise>DONE</promise>'; }`,
  );
  for (const [i, n] of doneAt.entries()) {
    box.write("done-at", String(n));
    box.write("name", String(i));
    const verify = typeof n === "number" ? `test -e result-${i}` : "true";
    await box.ralph("run", "--prompt", `Done at ${n}`, "--agent", "slow", "-m", "5", "--verify", verify, "-q");
  }
  const loops = (await box.json("list", "--limit", "50")) as { id: string }[];
  return { box, ids: loops.map(({ id }) => id).reverse() };
}

test("shows which loops would have stopped earlier or been cut off, and what each agent needs", async () => {
  const { box, ids } = await withLoops(1, 1, 3, 9, "2", 2);
  const [, , three, never] = ids;
  const { stdout, code } = await box.ralph("backtest", "--max-iterations", "2");
  expect(code).toBe(0);
  const [head, , , row1, row2, , ...rest] = stdout.split("\n");
  expect(head).toBe("6 loops replayed with at most 2 iterations");
  // Newest first.
  expect(row1).toMatch(
    new RegExp(`^${never} +iteration-limit at 5 +iteration-limit at 2 +3 iterations, \\S+ +slow +Done at 9$`),
  );
  expect(row2).toMatch(new RegExp(`^${three} +verified at 3 +iteration-limit at 2, cut off +slow +Done at 3$`));
  expect(rest.join("\n").replace(/3 iterations, \S+\./, "3 iterations, #.")).toBe(`\
1 would have stopped earlier without loss, saving 3 iterations, #.
1 would have been cut off wrongly, completed later: ${three}.
4 would have ended as before.

AGENT  LOOPS  COMPLETED  VERIFIED  MEDIAN / 90 % / MOST  SUGGESTED max_iterations
slow   6      5 (83 %)   4 (67 %)  2 / 3 / 3             4
`);
});

test("--json has every loop, the totals and the agents", async () => {
  const { box, ids } = await withLoops(3, 9);
  const [three, never] = ids;
  expect(await box.json("backtest", "-m", "2")).toMatchObject({
    limits: { maxIterations: 2 },
    loops: [
      { id: never, reason: "iteration-limit", replay: { is: "sooner", iteration: 2, saved: { iterations: 3 } } },
      { id: three, reason: "verified", replay: { is: "sooner", cutOff: true } },
    ],
    totals: { loops: 2, sooner: 2, further: 0, cutOff: [three], saved: { iterations: 3, costUsd: 0 } },
    running: [],
    agents: [{ agent: "slow", loops: 2, completed: 1, verified: 1, suggestion: null }],
  });
  // Only the one named by the prefix of its id.
  const looser = (await box.json("backtest", String(never).slice(0, 6), "-m", "9")) as { loops: unknown[] };
  expect(looser.loops).toMatchObject([{ id: never, replay: { is: "further" } }]);
  expect((await box.ralph("backtest", "-m", "9")).stdout).toContain(
    "1 would have continued; how they would have ended is unknown.",
  );
});

test("without a limit it shows the history, without a loop it says so", async () => {
  const empty = inProcess();
  expect((await empty.ralphProcess("backtest", "-m", "3")).stdout).toContain("No loop has stopped here yet");
  expect(empty.exists(empty.state)).toBe(false);
  const { box } = await withLoops(1);
  const { stdout } = await box.ralph("backtest");
  expect(stdout).toContain("Name a limit to replay against");
  expect(stdout).toContain("too few (1 of 5 completed)");
});

test("leaves out running loops, and says so", async () => {
  const { box } = await withLoops(1);
  box.program("sleeper", "sleep 300");
  const run = box.start(["run", "--prompt", "x", "--agent", "sleeper"]);
  await run.saw("iteration 1");
  const [running] = (await box.json("list")) as { id: string }[];
  const { stdout } = await box.ralph("backtest", "-m", "1");
  expect(stdout).toContain("1 loop replayed");
  expect(stdout).toContain(`left out, not stopped yet: ${running?.id}`);
  run.child.kill("SIGINT");
  await run.ended;
});

test.each([
  [["backtest", "nothing"], "there is no loop nothing here"],
  [["backtest", ""], "Expected text that is not empty"],
  [["backtest", "-m", "0"], "Expected a whole number from 1"],
])("%j is refused with an explanation", async (args, says) => {
  const { code, stderr } = await inProcess().ralph(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
