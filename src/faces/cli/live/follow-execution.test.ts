import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../../adapters/store/workspace.ts";
import type { Cli } from "../context.ts";
import type { ExecutionConsole } from "./execution-console.ts";
import { followExecution } from "./follow-execution.ts";

test.each([
  [{}, "cannot show the footer: "],
  [{ board: true }, "cannot show the board: "],
])("a journal that cannot be read is one line of warning, and no reason to stop: %j", async (options, words) => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-follow-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const workspace = await openWorkspace(cwd, { stateDir: join(cwd, "state") });
  onTestFinished(() => workspace.close());
  const { database } = workspace.folder;
  mkdirSync(dirname(database), { recursive: true });
  writeFileSync(database, "This is no database. ".repeat(100));
  const said: string[] = [];
  const view = { say: (_task: string | null, line: string) => void said.push(line) };
  const screen = { view } as unknown as ExecutionConsole;
  expect(await followExecution({ cli: {} as Cli, workspace, screen, options })).toBeNull();
  expect(said).toEqual([expect.stringMatching(new RegExp(`^${words}.*database`))]);
});
