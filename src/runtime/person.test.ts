import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noteSession } from "../adapters/hosts/session-index.ts";
import { stateFolder } from "../adapters/io/state-folder.ts";
import { type Caller, refuseAgents } from "./person.ts";

const caller = (env: NodeJS.ProcessEnv, more: Partial<Caller> = {}): Caller => ({
  env,
  cwd: "/",
  ancestors: () => [],
  isMarked: () => false,
  ...more,
});

test.each<[string, string | undefined, boolean]>([
  ["the user", undefined, true],
  ["the agent of a loop here", "ab12cd34/f00/1/1", false],
  ["a check of a task here", "task-T-1/f00/2/", false],
  ["the agent of a loop elsewhere", "ffffffff/f00/1/1", true],
  ["a check of a task elsewhere", "task-T-2/f00/1/", true],
  ["a command of a workflow here", "run-1a2b3c4d/f00/1-0/", false],
  ["a command of a workflow elsewhere", "run-ffffffff/f00/1-0/", true],
  ["nothing", "", true],
])("a command for the user is refused to others: %s", (_who, token, allowed) => {
  const folder = stateFolder(".", { RALPH_STATE_DIR: mkdtempSync(join(tmpdir(), "ralph-person-")) });
  for (const made of [folder.logs("ab12cd34"), folder.task("T-1"), join(folder.root, "runs/1a2b3c4d")])
    mkdirSync(made, { recursive: true });
  const ask = () => refuseAgents({ folder }, "ralph cancel", caller({ RALPH_RUN: token }));
  if (allowed) expect(ask).not.toThrow();
  else expect(ask).toThrow("only the user may run ralph cancel");
});

test("a command for the user is refused to the agent of a session that has a loop here", () => {
  const home = mkdtempSync(join(tmpdir(), "ralph-person-"));
  process.env.RALPH_STATE_DIR = home;
  const folder = stateFolder(".", { RALPH_STATE_DIR: home });
  mkdirSync(folder.logs("ab12cd34"), { recursive: true });
  noteSession({ host: "codex", id: "s-1" }, { loop: "ab12cd34", cwd: "." });
  noteSession({ host: "codex", id: "s-2" }, { loop: "of another repository", cwd: "." });
  const ask = (session: string) => () =>
    refuseAgents({ folder }, "ralph cancel", caller({ CODEX_THREAD_ID: session, CODEX_TOOL_CALL_ID: "call_1" }));
  expect(ask("s-1")).toThrow("only the user may run ralph cancel, and ab12cd34 of this repository runs this command");
  expect(ask("s-2")).not.toThrow();
  expect(ask("s-3")).not.toThrow();
  noteSession({ host: "opencode", id: "s-4" }, { loop: "ab12cd34", cwd: "." });
  const inOpencode = { RALPH_OPENCODE_SESSION: "s-4" };
  expect(() => refuseAgents({ folder }, "ralph cancel", caller(inOpencode))).toThrow("only the user may run");
});

test("an agent without its marker is recognised by ancestors, folder and inherited mark; nothing else is", () => {
  const folder = stateFolder(".", { RALPH_STATE_DIR: realpathSync(mkdtempSync(join(tmpdir(), "ralph-person-"))) });
  for (const made of [folder.logs("ab12cd34"), join(folder.worktrees, "T-1/src"), join(folder.rooms, "r1")])
    mkdirSync(made, { recursive: true });
  const ask = (more: Partial<Caller>) => () => refuseAgents({ folder }, "ralph cancel", caller({}, more));
  expect(ask({ ancestors: () => [{}, { RALPH_RUN: "ab12cd34/f00/1/1" }] })).toThrow("ab12cd34 of this repository");
  expect(ask({ ancestors: () => [{ RALPH_RUN: "ffffffff/f00/1/1" }, { HOME: "/" }] })).not.toThrow();
  expect(ask({ cwd: join(folder.worktrees, "T-1/src") })).toThrow("the worktree of T-1, where agents work");
  expect(ask({ cwd: join(folder.rooms, "r1") })).toThrow("a clean room");
  expect(ask({ cwd: folder.root })).not.toThrow();
  expect(ask({ cwd: `${folder.worktrees}-of-mine` })).not.toThrow();
  expect(ask({ cwd: null })).not.toThrow();
  expect(ask({ isMarked: (root) => root === folder.root })).toThrow("a loop of this repository started");
  expect(ask({ isMarked: (root) => root !== folder.root })).not.toThrow();
});
