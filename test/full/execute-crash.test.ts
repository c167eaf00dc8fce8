import { join } from "node:path";
import { test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import { expectNothingLeft } from "../support/leftovers.ts";
import { LONG } from "../support/patience.ts";
import { type PipelineSandbox, pipeline, worktreesIn } from "../support/pipeline.ts";
import { pause, randomFrom } from "../support/victim.ts";

const KILLS = 26;
const IDS = ["A", "B", "C", "D", "E", "F"];

/** Tasks that depend on each other, and two that change the same line. */
async function chores(box: PipelineSandbox): Promise<void> {
  box.write("shared.txt", "start\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "shared");
  for (const id of IDS) {
    const needs = id === "F" ? ["--depends-on", "A,B"] : [];
    await box.task(id, { coder: `grep -q "${id}" shared.txt`, tester: `test -f test-${id}` }, ...needs);
  }
  box.plan("coder", 'grep -q "$task" shared.txt || echo "$task" >> shared.txt');
  // However fast the machine is, not everything is done before the last kill.
  for (const [i, id] of IDS.entries()) {
    const due = Math.ceil(((i + 1) * KILLS) / IDS.length);
    const wait = `until [ "$(cat "$PLAN/kills")" -ge ${due} ] 2> /dev/null; do sleep 0.05; done`;
    box.plan(`${id}-tester`, `${wait}; touch "test-$task"`);
  }
  box.plan("conflict", "sed -i -e '/^<<<<<<</d' -e '/^=======/d' -e '/^>>>>>>>/d' shared.txt");
}

/** Lets it run and kills it at random moments, this many times, and then lets it finish. */
async function killed(box: PipelineSandbox, random: () => number): Promise<void> {
  for (let kills = 0; kills < KILLS; kills++) {
    box.plan("kills", `${kills}`);
    const { child, ended } = box.start(["execute", "--quiet", "--max-parallel", "3"]);
    const early = await Promise.race([ended, pause(150 + random() * 1_200)]);
    if (early) throw new Error(`it ended before it was killed: ${JSON.stringify(early)}`);
    child.kill("SIGKILL");
    await ended;
  }
  box.plan("kills", `${KILLS}`);
  const last = await box.ralph("execute", "--quiet");
  if (last.code !== 0) throw new Error(last.stderr);
}

/** With conflicts in the files everything may fail: such a loop has no baseline, and its checks at most stay green. */
const levelOf = (place: string | undefined) => (place === "conflict" ? "still-green" : "verified");

test.concurrent.for([1, 2])(
  "killed at random moments nothing is lost and nothing done twice (%i)",
  LONG,
  async (run, { expect, onTestFinished }) => {
    const box = pipeline(onTestFinished, { ralph: { stages: ["coder", "tester"] } });
    const seed = Number(process.env.RALPH_SEED ?? Date.now() % 100_000) + run;
    await chores(box);
    const context = `seed ${seed}`;
    await killed(box, randomFrom(seed));
    const merges = box
      .git("log", "--format=%s", "main")
      .split("\n")
      .filter((line) => line.startsWith("Merge task/"));
    expect(merges.map((line) => line.slice(11, 12)).sort(), context).toEqual(IDS);
    expect(box.read("shared.txt").split("\n").filter(Boolean).sort(), context).toEqual([...IDS, "start"]);
    expect(
      IDS.filter((id) => !box.exists(`test-${id}`)),
      context,
    ).toEqual([]);
    expect(box.git("status", "--porcelain", "--untracked-files=no"), context).toBe("");
    expect(worktreesIn(box), context).toEqual([]);
    expect(box.git("branch", "--list", "task/*"), context).toBe("");
    expect(box.git("fsck", "--no-dangling"), context).toBe("");
    await expectNothingLeft(box);
    const store = await openSqliteStore(join(box.state, "ralph.db"));
    onTestFinished(store.close);
    const begun: string[] = [];
    for (const id of IDS) {
      const facts: string[] = [];
      for await (const { event } of store.tasks.entries(id)) {
        facts.push(event.type);
        if (event.type === "stage.began") begun.push(event.loop);
      }
      expect(
        facts.filter((type) => type === "task.merged"),
        context,
      ).toHaveLength(1);
    }
    const loops = await store.summaries();
    expect(loops.map(({ id }) => id).sort(), context).toEqual(begun.sort());
    expect(
      loops.filter(({ reason, part }) => reason !== levelOf(part?.place)),
      context,
    ).toEqual([]);
    const logged = box
      .read(".ralph/execution.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { loop: string; ralph_iteration: number });
    const keys = logged.map(({ loop, ralph_iteration }) => `${loop}/${ralph_iteration}`);
    expect(keys.length, context).toBe(new Set(keys).size);
    expect(new Set(logged.map(({ loop }) => loop)).size, context).toBe(loops.length);
  },
);
