// A repository to look at: real tasks, loops, a workflow and a conversation, made by the built `ralph` with an agent of a
// few lines. By hand, after `npm run build`:
//   node test/support/showcase.mjs <folder> [--live] [--hostile] [--output]     prints what to type next
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { HOSTILE, HOSTILE_BRANCH, HOSTILE_PLANS, HOSTILE_TASKS, HOSTILE_WORK } from "./showcase/hostile.ts";
import { PLANS } from "./showcase/plans.ts";
import { serve } from "./showcase/server.ts";
import { ENDED, HELD, LOOP_WORKFLOW, OPEN, WORKED, WORKFLOW } from "./showcase/tasks.ts";

interface ShowcaseOptions {
  /** Agents that work until `go()`; without it, their tasks are interrupted. */
  live?: boolean;
  /** Titles, criteria, output, file and branch names that try to be more than text. */
  hostile?: boolean;
  /** A loop with 100,000 lines of output. */
  output?: boolean;
  /** `false`: no tasks and no conversation. */
  tasks?: boolean;
  /** Ralph's own repository: by default the current folder. */
  root?: string;
}

export interface Showcase {
  cwd: string;
  state: string;
  /** `ralph` and `claude` are on its PATH. */
  env: NodeJS.ProcessEnv;
  /** Lets the agents finish; of one task or plain loop (`run`) only, if it is named. */
  go(what?: string): void;
  /** Runs ralph to its end and returns what it prints. */
  ralph(...args: string[]): string;
  /** Starts ralph. */
  start(...args: string[]): ChildProcess;
  /** Resolves once something is true. */
  until(what: string, isTrue: () => boolean): Promise<void>;
  /** How often an agent was called for a task and stage (`SHIP-1 coder`). */
  calls(who: string): number;
  /** Ends what still runs. */
  stop(): Promise<void>;
}

/** Makes it in a folder that is empty or missing. */
export async function showcase(folder: string, options: ShowcaseOptions = {}): Promise<Showcase> {
  const show = await prepared(folder, options);
  await plainLoops(show, options);
  if (options.tasks === false) return show;
  await conversation(show);
  await endedTasks(show, options);
  await heldTask(show);
  addTasks(show, [...WORKED, ...OPEN]);
  show.ralph("task", "update", "OLD-1", "--status", "cancelled");
  await workedTasks(show);
  if (!options.live) return show.stop().then(() => show);
  show.start("run", "Watch the shop", "--verify", "test -f src/watched.js", "--worktree", "-q");
  await show.until("a loop that works", () => show.calls('"Watch the shop" ') > 0);
  return show;
}

async function prepared(folder: string, { hostile = false, root = process.cwd() }: ShowcaseOptions): Promise<Showcase> {
  mkdirSync(folder, { recursive: true });
  const at = realpathSync(folder);
  const [cwd, bin, state] = [join(at, "shop"), join(at, "bin"), join(at, "state")];
  if (existsSync(cwd)) throw new Error(`${cwd} is there already`);
  cpSync(join(root, "docs/record/shop"), cwd, { recursive: true });
  mkdirSync(bin);
  cpSync(join(root, "test/support/showcase/player.mjs"), join(bin, "player.mjs"));
  writeFileSync(join(bin, "plans.json"), JSON.stringify({ ...PLANS, ...(hostile ? HOSTILE_PLANS : {}) }));
  const ralphPath = resolve(root, "dist/ralph.js");
  program(bin, "claude", join(bin, "player.mjs"));
  program(bin, "ralph", ralphPath);
  const show = placed({ cwd, bin, state, ralphPath });
  mkdirSync(join(cwd, ".ralph/workflows"), { recursive: true });
  writeFileSync(join(cwd, ".ralph/settings.json"), JSON.stringify(SETTINGS, null, 2));
  writeFileSync(join(cwd, ".ralph/workflows/feature.yaml"), WORKFLOW);
  writeFileSync(join(cwd, ".ralph/workflows/build.yaml"), LOOP_WORKFLOW);
  git(show, "init", "--quiet", `--initial-branch=${hostile ? HOSTILE_BRANCH : "main"}`);
  git(show, "config", "user.name", "Ada");
  git(show, "config", "user.email", "ada@example.invalid");
  commit(show, "A little shop");
  return show;
}

const SETTINGS = {
  agent: { command: "claude" },
  ralph: { max_attempts: 1, reviewer: { verification_method: "string_match" } },
};

function program(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}

const git = ({ cwd, env }: Showcase, ...args: string[]) =>
  execFileSync("git", args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });

function commit(show: Showcase, message: string): void {
  git(show, "add", "--all");
  git(show, "commit", "--quiet", "--allow-empty", "-m", message);
}

function placed({
  cwd,
  bin,
  state,
  ralphPath,
}: {
  cwd: string;
  bin: string;
  state: string;
  ralphPath: string;
}): Showcase {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_") && !NOT_OURS.has(name));
  const env = { ...Object.fromEntries(own), RALPH_STATE_DIR: state, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: "1" };
  const started = new Set<ChildProcess>();
  return {
    ...{ cwd, state, env },
    go: (what) => writeFileSync(join(bin, what === undefined ? "go" : `go-${what}`), ""),
    ralph(...args) {
      try {
        return execFileSync(process.execPath, [ralphPath, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        throw new Error(`ralph ${args.join(" ")}: ${(error as { stderr: string }).stderr}`, { cause: error });
      }
    },
    start(...args) {
      const child = spawn(process.execPath, [ralphPath, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
      // Nothing waits for a reader.
      for (const stream of [child.stdout, child.stderr]) stream.resume();
      started.add(child);
      child.once("close", () => started.delete(child));
      return child;
    },
    until: waitUntil,
    calls: (who) =>
      existsSync(join(bin, "calls"))
        ? readFileSync(join(bin, "calls"), "utf8")
            .split("\n")
            .filter((line) => line === who).length
        : 0,
    stop: async () => void (await Promise.all([...started].map(ended))),
  };
}

/** The tests may themselves be run by an agent's tool. */
const NOT_OURS = new Set(["RALPH_RUN", "AI_AGENT", "CODEX_TOOL_CALL_ID", "RALPH_OPENCODE_SESSION", "FORCE_COLOR"]);

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once("close", () => done());
    child.kill("SIGTERM");
  });
}

async function waitUntil(what: string, isTrue: () => boolean): Promise<void> {
  for (const giveUpMs = Date.now() + 180_000; !isTrue(); await new Promise((done) => setTimeout(done, 50)))
    if (Date.now() > giveUpMs) throw new Error(`the showcase never had ${what}`);
}

/** Runs ralph to its end, whatever its exit code is. */
const outcome = (show: Showcase, ...args: string[]): Promise<void> =>
  new Promise((done) => show.start(...args).once("close", () => done()));

async function plainLoops(show: Showcase, { hostile, output }: ShowcaseOptions): Promise<void> {
  await outcome(show, "run", "Make the tests pass", "--verify", "npm test");
  commit(show, "Fix the cart");
  await outcome(show, "run", "Translate every message", "--verify", "grep -q Steuer src/words.js", "-m", "3");
  await outcome(show, "run", "Tidy up the comments");
  if (output) await outcome(show, "run", "Print a lot");
  if (hostile) await outcome(show, "run", `Do this: ${Object.values(HOSTILE).join(" ")}`, "--verify", HOSTILE_CHECK);
  commit(show, "Translate the shop");
}

const HOSTILE_CHECK = `cat src/*.txt; echo '${HOSTILE.script}' '${HOSTILE.image}'; false`;

/** A workflow with steps and one with a loop, started by messages of a conversation. */
async function conversation(show: Showcase): Promise<void> {
  const server = await serve(show);
  for (const message of ["feature: gift cards", "build: gift cards", "status"]) {
    await server.ask("/test/message", { conversationId: "test-shop", message });
    await untilAsked(async () => {
      const { runs } = await server.ask<{ runs: { status: string }[] }>("/api/runs");
      return runs.every(({ status }) => status === "completed" || status === "failed");
    });
  }
  await server.stop();
  commit(show, "Gift cards");
}

async function untilAsked(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((done) => setTimeout(done, 100));
}

function addTasks({ cwd, ralph }: Showcase, tasks: readonly object[]): void {
  // JSON is YAML.
  writeFileSync(join(cwd, "../tasks.yaml"), JSON.stringify(tasks));
  ralph("task", "create", "--file", "../tasks.yaml", "--spec", "shop", "--no-criteria");
}

async function endedTasks(show: Showcase, { hostile }: ShowcaseOptions): Promise<void> {
  writeFileSync(join(show.cwd, "../shop.md"), "# A little shop\n\nWhat it sells, and how.\n");
  show.ralph("spec", "create", "shop", "--file", "../shop.md");
  addTasks(show, [...ENDED, ...(hostile ? HOSTILE_TASKS : [])]);
  const ids = [...ENDED.map(({ id }) => id), ...(hostile ? HOSTILE_WORK : [])];
  await outcome(show, "execute", ...ids, "--max-parallel", "2");
}

async function heldTask(show: Showcase): Promise<void> {
  addTasks(show, HELD);
  const working = outcome(show, "execute", "LOGIN-1");
  await show.until("an agent that logs in", () => show.calls("LOGIN-1 coder") > 0);
  await outcome(show, "cancel", "LOGIN-1");
  await working;
}

async function workedTasks(show: Showcase): Promise<void> {
  const ids = WORKED.map(({ id }) => id);
  show.start("execute", ...ids, "--max-parallel", String(ids.length));
  await show.until(
    "work in every stage",
    () => show.calls("SHIP-1 coder") > 2 && STAGES.every((who) => show.calls(who) > 0),
  );
}

const STAGES = ["STOCK-1 reviewer", "REFUND-1 tester", "SEARCH-1 qa"];
