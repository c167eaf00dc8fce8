import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { LONG } from "../support/patience.ts";
import { taskRepository } from "../support/task-repository.ts";
import { pause, randomFrom } from "../support/victim.ts";

const KILLS = 60;
const AT_A_TIME = 2;
const TASKS = ["T-1", "T-2", "T-3"];
const LONGEST_MS = 900;

test("tasks are merged once, whenever their driver is killed", LONG, async ({ onTestFinished }) => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1e9);
  console.log(`KILL_SEED=${seed}`);
  const random = randomFrom(seed);
  const toll = { kills: 0, repositories: 0 };
  const home = taskRepository({ finished: onTestFinished }).home;
  const program = join(home, "merge-program.mjs");
  const entry = resolve(import.meta.dirname, "../fixtures/merge-program.ts");
  await build({ entryPoints: [entry], bundle: true, outfile: program, format: "esm", platform: "node" });
  const work = async () => {
    while (toll.kills < KILLS)
      await killThroughout(taskRepository({ finished: onTestFinished }), program, { toll, random });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  console.log(JSON.stringify(toll));
});

type Repository = ReturnType<typeof taskRepository>;

async function killThroughout(
  repo: Repository,
  program: string,
  { toll, random }: { toll: { kills: number; repositories: number }; random: () => number },
): Promise<void> {
  const nowhere = toll.repositories++ % 2 === 1;
  repo.commit({ "shared.txt": "start\n" });
  if (nowhere) repo.git("switch", "--quiet", "--create", "elsewhere");
  repo.write("untracked.txt", "mine\n");
  const args = [program, repo.cwd, repo.worktrees, join(repo.home, "journal"), ...TASKS];
  while (true) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const moment = toll.kills < KILLS ? pause(random() * LONGEST_MS) : new Promise<never>(() => undefined);
    const code = await Promise.race([ended, moment.then(() => "kill" as const)]);
    if (code !== "kill") {
      expect({ code, said }).toEqual({ code: 0, said: "" });
      break;
    }
    child.kill("SIGKILL");
    await ended;
    toll.kills++;
  }
  check(repo, nowhere);
}

function check(repo: Repository, nowhere: boolean): void {
  const at = (path: string) => repo.git("show", `main:${path}`);
  const landed = repo.git("log", "--first-parent", "--format=%(trailers:key=Ralph-Effect,valueonly)", "main");
  expect(
    landed
      .split("\n")
      .filter(Boolean)
      .map((key) => key.split("/").slice(0, 2).join("/")),
  ).toEqual(TASKS.toReversed().map((task) => `land/${task}`));
  for (const task of TASKS) {
    expect(at(`${task}.txt`)).toBe(task);
    expect(repo.git("log", "--format=%s", `--grep=^Ralph-Effect: ${task}/work$`, "main")).toBe("work");
  }
  expect(at("shared.txt").split("\n").sort()).toEqual([...TASKS, "start"].sort());
  expect(repo.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect(repo.git("for-each-ref", "--format=%(refname)", "refs/heads/task", "refs/ralph/base")).toBe("");
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(repo.worktrees)).toEqual([]);
  expect([repo.read("untracked.txt"), repo.git("status", "--porcelain")]).toEqual(["mine\n", "?? untracked.txt"]);
  expect(existsSync(join(repo.cwd, "T-1.txt"))).toBe(!nowhere);
  expect(execFileSync("find", [join(repo.cwd, ".git"), "-name", "*.lock"], { encoding: "utf8" })).toBe("");
}
