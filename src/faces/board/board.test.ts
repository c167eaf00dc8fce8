import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { PATIENT } from "../../../test/support/patience.ts";
import { cardLike } from "../../../test/support/views.ts";
import { openWorkspace } from "../../adapters/store/workspace.ts";
import { NO_VIEW } from "../../core/view/board.ts";
import type { Board } from "../../runtime/view/board.ts";
import type { TerminalProcess } from "../terminal/terminal-process.ts";
import { showBoard } from "./board.ts";

const CHANGE = {
  ...{ at: 2, cards: [], gone: [], order: null, executions: null, loops: [], totals: null, todayUsd: null },
  subjects: ["task/T-1"],
};

test("a page that changes while it is read is read again", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-show-board-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const workspace = await openWorkspace(cwd, { create: true, stateDir: join(cwd, "state") });
  onTestFinished(() => workspace.close());
  const view = { ...NO_VIEW, cards: [cardLike({ id: "T-1", lane: "todo" })] };
  const listeners: Parameters<Board["listen"]>[0][] = [];
  const board: Board = {
    view: () => view,
    problem: () => null,
    listen(listener) {
      listeners.push(listener);
      return { close: () => undefined };
    },
    close: () => undefined,
  };
  const [stdin, stdout, signals] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  let screen = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const own: TerminalProcess = {
    ...{ stdin, stdout: Object.assign(stdout, { columns: 120, rows: 30 }), env: {}, pid: process.pid },
    kill: () => undefined,
    on: (event, listener) => signals.on(event, listener),
    off: (event, listener) => signals.off(event, listener),
  };
  const reads: ((lines: readonly string[]) => void)[] = [];
  const why = () => new Promise<readonly string[]>((done) => reads.push(done));
  const texts = { why, diff: why, stat: why };
  const shown = showBoard({ process: own, workspace, board, texts, spec: null });
  stdin.write("w");
  await expect.poll(() => reads.length, PATIENT).toBe(1);
  for (const listener of listeners) listener(CHANGE, view);
  reads[0]?.(["as it was"]);
  await expect.poll(() => reads.length, PATIENT).toBe(2);
  reads[1]?.(["as it is now"]);
  await expect.poll(() => screen, PATIENT).toContain("as it is now");
  stdin.write("q");
  expect(await shown).toMatchObject({ why: "quit" });
  expect(reads).toHaveLength(2);
});
