import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeTo } from "../../../../test/support/journal.ts";
import { someSpec } from "../../../../test/support/spec.ts";
import { began, someTask } from "../../../../test/support/task.ts";
import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { loopKind } from "../../../core/loop/kind.ts";
import { taskKind } from "../../../core/task/kind.ts";
import { openBoard } from "../../../runtime/view/board.ts";
import { taskPageOf } from "./task-page.ts";

/** More than a page reads. */
const LOOPS = 205;

test("the page of a task with very many loops has the cost that the board shows", { timeout: 120_000 }, async () => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-task-page-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const workspace = await openWorkspace(cwd, { create: true, stateDir: join(cwd, "state") });
  onTestFinished(() => workspace.close());
  const { tasks, store } = workspace;
  await tasks.create([someTask("T-1")], 1);
  const part = { execution: "e1", task: "T-1", place: "coder" as const, description: "", method: "external" as const };
  const spec = someSpec({ door: "pipeline", part });
  for (let n = 1; n <= LOOPS; n++) await store.create(`l${n}`, { type: "loop.started", spec, fingerprints: {} }, n);
  const turn = { n: 1, attempt: 1 };
  const usage = { inputTokens: 7, cachedTokens: 0, outputTokens: 1, costUsd: 3 };
  await writeTo(loopKind, store, {
    id: "l1",
    events: [
      { type: "turn.began", ...turn, agent: 0, runToken: "t", log: null, nonce: null },
      { type: "turn.voided", ...turn, why: "network", detail: "", retryAtMs: null, usage },
    ],
  });
  await writeTo(taskKind, tasks, { id: "T-1", events: [began("coder", `l${LOOPS}`)] });
  const board = await openBoard(workspace);
  onTestFinished(board.close);
  const { card } = await taskPageOf(workspace, "T-1");
  expect(card).toMatchObject({ costUsd: 3, tokens: 8 });
  expect(card).toMatchObject(board.view().cards[0] ?? {});
});
