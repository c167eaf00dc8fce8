import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { provedBy, someAgent, someSpec } from "../../test/support/spec.ts";
import { loopBlobs, openWorkspace } from "../adapters/store/workspace.ts";
import { RECORD } from "../core/fingerprints.ts";
import { stopControl } from "../engine/stop-control.ts";
import { readRecord } from "../verify/tamper/record.ts";
import { UNSEEN } from "./loop-watcher.ts";
import { startLoop } from "./run-loop.ts";

test("the protection record is stored before the journal records the start of the loop", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-start-")));
  writeFileSync(join(root, "check.sh"), "exit 1\n");
  const workspace = await openWorkspace(root, { create: true, stateDir: join(root, "state") });
  onTestFinished(() => {
    workspace.close();
    rmSync(root, { recursive: true, force: true });
  });
  const found: unknown[] = [];
  const store: typeof workspace.store = {
    ...workspace.store,
    async create(id, event) {
      const { fingerprints } = event as Extract<typeof event, { type: "loop.started" }>;
      const known = await readRecord(loopBlobs(workspace, id), fingerprints);
      found.push(fingerprints[RECORD], Object.keys(known?.record.files ?? {}));
      throw new Error("killed");
    },
  };
  const spec = someSpec({ cwd: root, agents: [someAgent("sh")], proof: provedBy(["sh check.sh"]) });
  const driving = { workspace: { ...workspace, store }, stops: stopControl(), view: UNSEEN };
  await expect(startLoop(driving, spec, [])).rejects.toThrow("killed");
  expect(found).toEqual([expect.any(String), expect.arrayContaining(["check.sh"])]);
  // Files stored for it do not make a loop.
  expect(await workspace.store.summaries()).toEqual([]);
  await expect(workspace.store.find("last")).rejects.toThrow("there is no loop");
});
