import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";
import { killProcessesWith } from "./processes.ts";

const RALPH = resolve(import.meta.dirname, "../../dist/ralph.js");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves once standard output and error together contain the text, or match the pattern. */
  saw(text: string | RegExp): Promise<void>;
}

/**
 * A separate folder with a state folder and a PATH that starts with its own programs. After the test it is removed, and
 * every process that was started in it is killed, also if the test timed out.
 */
export interface Sandbox {
  cwd: string;
  state: string;
  /** The folder of its programs. */
  bin: string;
  env: NodeJS.ProcessEnv;
  /** The program under test. */
  ralphPath: string;
  path(name: string): string;
  write(name: string, content: string): string;
  read(name: string): string;
  exists(name: string): boolean;
  /** A small real program on PATH. */
  program(name: string, script: string): void;
  git(...args: string[]): string;
  initGit(): void;
  /** Runs one of its programs. */
  run(program: string, ...args: string[]): Promise<Ended>;
  /** Starts one of its programs. */
  open(program: string, ...args: string[]): Running;
  ralph(...args: string[]): Promise<Ended>;
  start(args: readonly string[], env?: Record<string, string>): Running;
  /** Runs a shell script in which `"$@"` is ralph with these arguments. */
  shell(script: string, ...args: string[]): Running;
  /** Runs ralph on a real terminal: its standard input is typed. */
  terminal(args: readonly string[], env?: Record<string, string>): Running;
  /** Runs `ralph … --json` and parses its one document. */
  json(...args: string[]): Promise<unknown>;
}

/** Registers cleanup after a test. Concurrent tests pass the `onTestFinished` of their context. */
export type Finished = (cleanUp: () => void) => void;

/** Of several tests that run at the same time, Vitest may take the wrong one for the current one. */
const afterThisTest: Finished = (cleanUp) => {
  if (getCurrentTest()?.concurrent) throw new Error("pass onTestFinished of the test's context, or atEnd()");
  onTestFinished(cleanUp);
};

export function sandbox(finished: Finished = afterThisTest): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-test-")));
  const [cwd, state, bin] = ["work", "state", "bin"].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [cwd, bin]) mkdirSync(folder);
  const started = new Set<ChildProcess>();
  let isOver = false;
  finished(() => {
    isOver = true;
    for (const child of started) child.kill("SIGKILL");
    killProcessesWith(`TMPDIR=${root}`);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = {
    ...process.env,
    RALPH_STATE_DIR: state,
    TMPDIR: root,
    PATH: `${bin}:${process.env.PATH}`,
    NO_COLOR: "1",
    RALPH_RUN: undefined,
    // The tests may themselves be run by an agent's tool.
    AI_AGENT: undefined,
    CODEX_TOOL_CALL_ID: undefined,
    RALPH_OPENCODE_SESSION: undefined,
  };

  const path = (name: string) => resolve(cwd, name);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    return path(name);
  };
  const launch = (
    file: string,
    args: readonly string[],
    more: Record<string, string> = {},
    stdin: "ignore" | "pipe" = "ignore",
  ) => {
    // A test that timed out may still be running.
    if (isOver) throw new Error("this test is over");
    const child = spawn(file, args, { cwd, env: { ...env, ...more }, stdio: [stdin, "pipe", "pipe"] });
    started.add(child);
    return watch(child);
  };
  const start: Sandbox["start"] = (args, more) => launch(process.execPath, [RALPH, ...args], more);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  return {
    cwd,
    state,
    bin,
    env,
    ralphPath: RALPH,
    path,
    write,
    read: (name) => readFileSync(path(name), "utf8"),
    exists: (name) => existsSync(path(name)),
    program(name, script) {
      const file = join(bin, name);
      writeFileSync(file, script.startsWith("#!") ? script : `#!/bin/sh\n${script}`);
      chmodSync(file, 0o755);
    },
    git,
    initGit: () => cpSync(freshRepository(), join(cwd, ".git"), { recursive: true }),
    run: (program, ...args) => launch(program, args).ended,
    open: (program, ...args) => launch(program, args),
    ralph: (...args) => start(args).ended,
    start,
    shell: (script, ...args) => launch("sh", ["-c", script, "sh", process.execPath, RALPH, ...args]),
    terminal(args, more = {}) {
      const variables = Object.entries(more).map(([name, value]) => `${name}=${value}`);
      return launch("script", scriptArguments(["env", ...variables, process.execPath, RALPH, ...args]), {}, "pipe");
    },
    async json(...args) {
      const { stdout, stderr, code } = await start([...args, "--json"]).ended;
      if (stdout === "") throw new Error(`no JSON (exit code ${code}): ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

let repository: string | undefined;

/** The `.git` of a repository with one empty commit on `main`. Made once: a copy is much cheaper than five gits. */
function freshRepository(): string {
  if (repository) return repository;
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-repository-")));
  const git = (...args: string[]) => execFileSync("git", args, { cwd });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  const hooks = join(cwd, ".git/hooks");
  for (const sample of readdirSync(hooks)) rmSync(join(hooks, sample));
  repository = join(cwd, ".git");
  return repository;
}

/** The system's program that opens a terminal, with other arguments on macOS. */
function scriptArguments(command: readonly string[]): string[] {
  if (process.platform === "darwin") return ["-q", "/dev/null", ...command];
  return ["-qec", command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" "), "/dev/null"];
}

function watch(child: ChildProcess): Running {
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const take = (add: (text: string) => void) => (text: string) => {
    add(text);
    for (const look of waiting) look();
  };
  child.stdout?.setEncoding("utf8").on(
    "data",
    take((text) => {
      stdout += text;
    }),
  );
  child.stderr?.setEncoding("utf8").on(
    "data",
    take((text) => {
      stderr += text;
    }),
  );
  const ended = new Promise<Ended>((done) => {
    child.once("close", (code, signal) => done({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    saw: (text) =>
      new Promise((done, fail) => {
        const look = () => {
          const all = stdout + stderr;
          if (typeof text === "string" ? !all.includes(text) : !text.test(all)) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        ended.then((end) => fail(new Error(`ended without "${text}": ${JSON.stringify(end)}`)));
        look();
      }),
  };
}
