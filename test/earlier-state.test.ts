import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../src/adapters/store/chain.ts";
import { openDatabase } from "../src/adapters/store/driver.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

/** Where the fixture was made: below it are the repository and its state folder. */
const MADE_IN = "/tmp/r";
const DUMP = join(import.meta.dirname, "fixtures/earlier/state.sql");

/**
 * A state folder of schema 7, dumped from that version: a verified loop, an interrupted one, a task that is done, one
 * whose driver was killed, and a run of a workflow. Its paths become those of the sandbox, and the hashes of its loops
 * those of the texts with these paths.
 */
function earlierState(): Sandbox {
  const box = sandbox();
  mkdirSync(box.state, { recursive: true });
  const db = openDatabase(join(box.state, "ralph.db"));
  const text = readFileSync(DUMP, "utf8");
  db.exec(text.replaceAll(`${MADE_IN}/repo`, box.cwd).replaceAll(`${MADE_IN}/state`, box.state));
  const heads = new Map<string, string>();
  for (const row of db.prepare("SELECT * FROM entries ORDER BY loop, seq").all()) {
    const [loop, seq] = [String(row.loop), Number(row.seq)];
    const entry = { subject: loop, seq, epoch: Number(row.epoch), at_ms: Number(row.at_ms), event: String(row.event) };
    heads.set(loop, link(heads.get(loop) ?? "", entry));
    db.prepare("UPDATE entries SET hash = ? WHERE loop = ? AND seq = ?").run(heads.get(loop) ?? "", loop, seq);
  }
  for (const [loop, head] of heads) db.prepare("UPDATE loops SET head = ? WHERE id = ?").run(head, loop);
  db.close();
  return box;
}

test("a state folder of the previous version is listed and explained", { timeout: 120_000 }, async () => {
  const box = earlierState();
  expect(await box.json("list")).toMatchObject([
    { id: "21a8bb35", status: "running", held: false },
    { id: "2428bec9", reason: "promise-only" },
    { id: "a2026eae", reason: "interrupted" },
    { id: "01ecf106", reason: "verified" },
  ]);
  for (const loop of ["01ecf106", "a2026eae", "2428bec9"])
    expect(await box.json("why", loop)).toMatchObject({ journal: { chainedFrom: 1, damage: null } });
  expect(await box.json("task", "show", "DONE-1")).toMatchObject({ status: "done" });
  expect(await box.json("task", "show", "WORK-1")).toMatchObject({ status: "implementing" });
  expect(await box.json("workflow", "runs")).toMatchObject([{ id: "ac6b7d03", status: "completed" }]);
  expect((await box.ralph("why", "ac6b7d03")).code).toBe(0);
});

test("loops, tasks and runs of the previous version are resumed, and cancelled", { timeout: 120_000 }, async () => {
  const box = earlierState();
  box.program("sleeper", "echo work > made.txt; echo '<promise>DONE</promise>'");
  // The protection records are files beside the database, which the fixture leaves out.
  const resumed = await box.ralph("resume", "a2026eae", "--accept-changes");
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("✓ verified")]);
  expect(await box.json("why", "a2026eae")).toMatchObject({ journal: { chainedFrom: 1, damage: null } });
  expect((await box.ralph("cancel", "WORK-1")).code).toBe(0);
  expect(await box.json("task", "show", "WORK-1")).toMatchObject({ status: "todo", held: true });
  expect(await box.json("list")).toMatchObject([{ id: "21a8bb35", reason: "cancelled" }, {}, {}, {}]);
});
