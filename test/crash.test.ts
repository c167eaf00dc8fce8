import { expect, onTestFinished, test } from "vitest";
import { pause as pauseFor } from "../src/adapters/io/timer.ts";
import { findByToken, sweep } from "../src/adapters/io/tokens.ts";
import type { ExplainedAttempt } from "../src/core/why.ts";
import { full } from "./support/effort.ts";
import { ITERATIONS, prepareLoop } from "./support/kill-scenario.ts";
import { LONG } from "./support/patience.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { type Peek, type Phase, pause, peek, randomFrom, survivorsOf, watchersOf } from "./support/victim.ts";

const KILLS = 104;
const LOOPS_AT_A_TIME = 3;
const AIMED: readonly Phase[] = ["turn", "guardrail", "effect", "check"];

interface Toll {
  kills: number;
  loops: number;
  phases: Record<Phase, number>;
}

interface Why {
  id: string;
  reason: string;
  costUsd: number;
  iterations: ExplainedAttempt[];
}

full("loops reach the same end through a hundred kills", LONG, async () => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1e9);
  console.log(`KILL_SEED=${seed}`);
  const random = randomFrom(seed);
  const toll: Toll = {
    kills: 0,
    loops: 0,
    phases: { start: 0, turn: 0, guardrail: 0, effect: 0, check: 0, stopped: 0 },
  };
  const work = async () => {
    while (isWanted(toll)) await killThroughout(sandbox(), toll, random);
  };
  await Promise.all(Array.from({ length: LOOPS_AT_A_TIME }, work));
  console.log(JSON.stringify(toll));
});

/** Kills continue until there were enough, and some in every phase. */
const isWanted = ({ kills, phases }: Toll): boolean => kills < KILLS || AIMED.some((phase) => phases[phase] === 0);

/** One loop from start to end, with every process that drives it killed, until there were enough kills. */
async function killThroughout(box: Sandbox, toll: Toll, random: () => number): Promise<void> {
  const run = prepareLoop(box);
  const journal = await peek(box);
  toll.loops++;
  try {
    while (true) {
      const known = await journal.id();
      const { child, ended } = box.start(known ? ["resume", "last", "--json"] : run);
      const life = new AbortController();
      ended.then(() => life.abort());
      if (isWanted(toll)) await momentOf(journal, toll, random, life.signal);
      else await ended;
      if (life.signal.aborted) {
        expect(await ended).toMatchObject({ code: 0 });
        break;
      }
      child.kill("SIGKILL");
      await ended;
      await afterKill(journal, toll);
      // A loop that has stopped is complete, although its driver was killed before it exited.
      if ((await journal.phase()) === "stopped") break;
    }
    await checkLoop(box);
  } finally {
    journal.close();
  }
}

/** Any moment of a life, alternating with one inside the least hit phase; its end, if that comes first. */
async function momentOf(journal: Peek, toll: Toll, random: () => number, over: AbortSignal): Promise<void> {
  if (toll.kills % 2 === 0) return pauseFor(random() * 1_600, over);
  const aim = AIMED.toSorted((a, b) => toll.phases[a] - toll.phases[b])[0];
  while (!over.aborted && (await journal.phase()) !== aim) await pause(5);
  return pauseFor(random() * 100, over);
}

async function afterKill(journal: Peek, toll: Toll): Promise<void> {
  toll.kills++;
  toll.phases[await journal.phase()]++;
  const id = await journal.id();
  if (id) expect(await survivorsOf(id)).toEqual([]);
  expect(journal.isIntact()).toBe(true);
}

async function checkLoop(box: Sandbox): Promise<void> {
  const why = (await box.json("why", "last")) as Why;
  const ended = why.iterations.filter((attempt) => attempt.ended);
  const numbers = Array.from({ length: ITERATIONS }, (_, i) => i + 1);
  expect((await box.ralph("doctor")).stdout).toMatch(/journal .*intact/);
  expect(why.reason).toBe("verified");
  expect(ended.map(({ n }) => n)).toEqual(numbers);
  expect(why.costUsd).toBeGreaterThanOrEqual(0.01 * ITERATIONS - 1e-9);
  checkCommits(box, why, ended);
  checkPrompts(box);
  checkSessions(box);
}

/** The guardrail fails in the first iteration; every other one is committed, once, and the journal has the commit. */
function checkCommits(box: Sandbox, why: Why, ended: readonly ExplainedAttempt[]): void {
  const log = box.git("log", "--reverse", "--format=%H %(trailers:key=Ralph-Effect,valueonly,separator=%x2C)");
  const commits = log
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, key]) => key);
  const green = ended.filter(({ n }) => n > 1);
  expect(commits.map(([, key]) => key)).toEqual(green.map(({ n }) => `${why.id}/${n}/0`));
  // The subject is unknown where a kill hit between the commit and its entry.
  expect(green.map(({ effects }) => effects)).toMatchObject(
    commits.map(([hash]) => [{ kind: "commit", is: "done", detail: hash }]),
  );
  expect(box.git("status", "--porcelain", "--", ":!.ralph/receipts")).toBe("");
}

/** Every attempt was told why the earlier iteration was not enough. */
function checkPrompts(box: Sandbox): void {
  for (let n = 1; n <= ITERATIONS; n++) {
    const prompts = box.read(`prompts-${n}`).split("\0").slice(0, -1);
    const told = n === 2 ? "Guardrail failed after iteration 1." : `in iteration ${n - 1}, but it was not proven`;
    for (const prompt of prompts) {
      expect(prompt).toContain("Write all the files");
      if (n > 1) expect(prompt).toContain(told);
    }
  }
}

/** The session of the first iteration continues through all attempts of the others. */
function checkSessions(box: Sandbox): void {
  const lines = box
    .read("sessions")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const kept = lines.findLast(([n]) => n === "1")?.[1];
  for (const [n, session] of lines) if (n !== "1") expect(session).toBe(kept);
}

test("a resume ends the processes of a driver that was killed together with what watches it", async () => {
  const box = sandbox();
  const ticking = "while :; do echo x >> ticks; sleep 0.02; done";
  const retry = [{ run: "cp ticks before; sleep 0.3; cp ticks after" }, { say: "<promise>DONE</promise>" }];
  box.write(
    "scenario.yaml",
    JSON.stringify({ iterations: [{ steps: [{ fork: ticking }, { say: "ticking" }, { hang: true }], retry }] }),
  );
  const { child, ended, saw } = box.start([
    "run",
    "--prompt",
    "Tick",
    "--scenario",
    "scenario.yaml",
    "--verify",
    "cmp before after",
  ]);
  await saw("ticking");
  const [{ id }] = (await box.json("list")) as [{ id: string }];
  onTestFinished(() => sweep(`${id}/`));
  for (const pid of watchersOf(child.pid ?? 0)) process.kill(pid, "SIGKILL");
  child.kill("SIGKILL");
  await ended;
  await pause(200);
  const orphans = findByToken(`${id}/`);
  expect(orphans.length).toBeGreaterThanOrEqual(2);
  expect(await box.ralph("resume", "last")).toMatchObject({ code: 0 });
  expect(findByToken(`${id}/`)).toEqual([]);
  expect(box.read("after")).toBe(box.read("before"));
});

full("no process of a swarm survives a kill of its driver", LONG, async () => {
  const box = sandbox();
  const swarm = "for i in $(seq 300); do setsid sh -c 'sleep 0.01; sleep 300' & done; wait";
  box.write("scenario.yaml", JSON.stringify({ iterations: [{ steps: [{ run: swarm }] }] }));
  for (let round = 0; round < 4; round++) {
    const { child, ended, saw } = box.start(["run", "--prompt", "Swarm", "--scenario", "scenario.yaml"]);
    await saw("setsid");
    await pause(40 * round);
    child.kill("SIGKILL");
    await ended;
    const { id } = ((await box.json("list")) as { id: string }[])[0] ?? { id: "none" };
    onTestFinished(() => sweep(`${id}/`));
    expect(await survivorsOf(id)).toEqual([]);
  }
});

test("a cancel is carried out even if the driver dies that received it", async () => {
  const box = sandbox();
  box.write("scenario.yaml", JSON.stringify({ iterations: [{ steps: [{ say: "at work" }, { hang: true }] }] }));
  const { child, ended, saw } = box.start(["run", "--prompt", "Hang", "--scenario", "scenario.yaml"]);
  await saw("at work");
  // It is stopped, so it cannot see the request, but still holds the loop.
  child.kill("SIGSTOP");
  const cancel = box.ralph("cancel", "last");
  const journal = await peek(box);
  onTestFinished(journal.close);
  await expect.poll(journal.isAsked).toBe(true);
  child.kill("SIGKILL");
  await ended;
  expect(await cancel).toMatchObject({ code: 0, stdout: expect.stringContaining("Cancelled Ralph loop") });
  expect(await box.json("why", "last")).toMatchObject({ status: "stopped", reason: "cancelled" });
});
