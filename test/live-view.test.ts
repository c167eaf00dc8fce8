import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../src/adapters/store/workspace.ts";
import { openExecutionBeat } from "../src/doors/pipeline/execution-pulse.ts";
import { type Board, openBoard } from "../src/runtime/view/board.ts";
import { HANG_MS, PATIENT } from "./support/patience.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

async function boardOf({ cwd, state }: Sandbox): Promise<Board> {
  const { folder, close } = await openWorkspace(cwd, { stateDir: state });
  close();
  const board = await openBoard({ cwd, folder });
  onTestFinished(board.close);
  return board;
}

/** A shell command that waits for a file. */
const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;

test("who looks at a loop sees its turn, its tool and its running check", { timeout: HANG_MS }, async () => {
  const box = sandbox();
  const steps = [
    { usage: { inputTokens: 300, costUsd: 0.5 } },
    { run: until("go") },
    { say: "<promise>DONE</promise>" },
  ];
  box.write("scenario.yaml", JSON.stringify({ iterations: [{ steps }] }));
  const board = await boardOf(box);
  const loop = () => board.view().loops[0];
  // Fails at the start, so that it does not wait there.
  const verify = `[ -e go ] && ${until("passes")}`;
  const run = box.start(["run", "x", "--agent", "scripted", "--scenario", "scenario.yaml", "--verify", verify]);
  await expect.poll(loop, PATIENT).toMatchObject({
    ...{ driven: true, agent: "scripted", costUsd: 0.5, tokens: 300 },
    doing: { kind: "tool", text: `shell ${until("go")}` },
  });
  expect(loop()?.turnBeganMs).toBeLessThanOrEqual(loop()?.doing?.sinceMs ?? 0);
  box.write("go", "");
  await expect.poll(loop, PATIENT).toMatchObject({ turnBeganMs: null, doing: { kind: "check", text: verify } });
  // What the turn has used is in the journal now, and counted once.
  expect(loop()).toMatchObject({ costUsd: 0.5, tokens: 300 });
  box.write("passes", "");
  await run.ended;
  await expect.poll(loop, PATIENT).toMatchObject({ driven: false, status: "stopped", doing: null, agent: "" });
});

test("who looks at an execution sees its slots, also when it is killed", { timeout: HANG_MS }, async () => {
  const box = pipeline();
  box.plan("coder", `${until(box.path("go"))}; echo work > "$task.txt"`);
  for (const id of ["T-1", "T-2", "T-3"]) await box.task(id, {});
  const board = await boardOf(box);
  const slots = () => board.view().executions.map((one) => one.slots.map((slot) => slot?.task ?? null));
  const cards = () => board.view().cards.map(({ id, badge, driven }) => `${id} ${badge} ${driven}`);
  const started = box.start(["execute", "--max-parallel", "2"]);
  await expect.poll(slots, PATIENT).toEqual([["T-1", "T-2"]]);
  await expect
    .poll(cards, PATIENT)
    .toEqual(["T-1 🔄 Coder (1/15) true", "T-2 🔄 Coder (1/15) true", "T-3 ready false"]);
  await expect.poll(() => board.view().cards[0]?.agent, PATIENT).toBe("agent");
  started.child.kill("SIGKILL");
  await started.ended;
  await expect.poll(slots, PATIENT).toEqual([]);
  await expect
    .poll(cards, PATIENT)
    .toEqual(["T-1 ⏸ Coder (1/15) false", "T-2 ⏸ Coder (1/15) false", "T-3 ready false"]);
});

test("a slot keeps its position, and merges their order", { timeout: HANG_MS }, async () => {
  const box = sandbox();
  const workspace = await openWorkspace(box.cwd, { create: true, stateDir: box.state });
  onTestFinished(() => workspace.close());
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  const beat = await openExecutionBeat(workspace, { id: "e", maxParallel: 3, startedMs: 1, target: "main" });
  const shown = () =>
    board.view().executions.map(({ slots, merging }) => [slots.map((slot) => slot?.task ?? "-").join(" "), ...merging]);
  const leave = ["A", "B", "C"].map(beat.begin);
  leave[1]?.();
  const [first] = [beat.joinMerges("C"), beat.joinMerges("A")];
  await expect.poll(shown, PATIENT).toEqual([["A - C", "C", "A"]]);
  beat.begin("D");
  first?.();
  await expect.poll(shown, PATIENT).toEqual([["A D C", "A"]]);
  beat.close();
  await expect.poll(shown, PATIENT).toEqual([]);
});
