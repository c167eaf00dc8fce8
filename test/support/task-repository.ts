import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { prepareWork } from "../../src/adapters/git/task-branch.ts";
import type { Finished } from "./sandbox.ts";

/** A checkout and its operations in tests. */
export interface Place {
  cwd: string;
  git(...args: string[]): string;
  write(name: string, content: string | Buffer): void;
  read(name: string): string;
  /** Writes files, commits everything and returns the commit. */
  commit(files?: Readonly<Record<string, string | Buffer | null>>): string;
}

export function placeAt(cwd: string): Place {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trimEnd();
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  return {
    cwd,
    git,
    write,
    read: (name) => readFileSync(join(cwd, name), "utf8"),
    commit(files = {}) {
      for (const [name, content] of Object.entries(files)) {
        if (content === null) rmSync(join(cwd, name));
        else write(name, content);
      }
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "-m", "more");
      return git("rev-parse", "HEAD");
    },
  };
}

/** A repository with a first commit on `main`, and a folder for worktrees beside it; removed after the test. */
export function taskRepository({ name = "repo", finished = onTestFinished as Finished } = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ralph-task-")));
  finished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(home, name);
  mkdirSync(cwd);
  const place = placeAt(cwd);
  place.git("init", "--quiet", "--initial-branch=main");
  place.git("config", "user.name", "Test");
  place.git("config", "user.email", "test@example.invalid");
  place.commit({ "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" });
  const worktrees = join(home, "state", "worktrees");
  return {
    ...place,
    home,
    worktrees,
    /** Prepares a task, and returns its checkout too. */
    async task(task = "T-1", target = "main") {
      const work = await prepareWork({ cwd, task, target, worktrees });
      return { work, at: placeAt(work.worktree) };
    },
    hook(hookName: string, script: string) {
      place.write(`.git/hooks/${hookName}`, `#!/bin/sh\n${script}\n`);
      chmodSync(join(cwd, ".git/hooks", hookName), 0o755);
    },
  };
}

/** A digest of everything below a folder: names, modes, contents. Files that git writes while reading are left out. */
export function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const add = (path: string) => {
    const stats = lstatSync(path);
    hash.update(`${path}\0${stats.mode}\0`);
    if (stats.isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry));
    else hash.update(stats.isSymbolicLink() ? readlinkSync(path) : readFileSync(path));
  };
  add(folder);
  return hash.digest("hex");
}
