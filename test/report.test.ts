import { expect, test } from "vitest";
import type { Report } from "../src/core/report/report.ts";
import { full } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import { pipeline } from "./support/pipeline.ts";
import { someSpec } from "./support/spec.ts";
import { inJournal, writeLoop } from "./support/task-loops.ts";
import { turnBegan, turnEnded } from "./support/turns.ts";

const QUICK = { max_attempts: 1, max_rounds: 1, stages: ["coder"], coder: { max_iterations: 1 } };

test("the report of a night: merged, blocked for one reason, proposed, a loop of its own", async () => {
  const notify = [
    { on: "finished", command: 'cat >> ../told; printf %s "$RALPH_TEXT" > ../text; [ -n "$RALPH_OPEN" ]' },
  ];
  const box = pipeline(undefined, { ralph: QUICK, notify });
  await box.task("A", { coder: "test -f A.txt" });
  for (const id of ["B", "C"]) await box.task(id, { coder: "test -f never" });
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  const file = 'ralph task create D demo "By an agent" --outcome o --acceptance a';
  box.plan("A-coder", `echo "work of A" > A.txt; ${file} > ../filed 2>&1`);
  const made = await box.execute();
  expect(made.code).toBe(1);
  const [told, ...others] = box.read("../told").trim().split("\n");
  expect(others).toEqual([]);
  expect(JSON.parse(told ?? "")).toMatchObject({
    ...{ notice: "finished", reason: "left", counts: { done: 1, blocked: 2, proposed: 1 } },
    merged: [{ task: "A", proof: "verified" }],
    open: [{ tasks: ["B", "C"], why: expect.stringContaining("blocked: 1 attempt has failed") }],
  });
  expect(box.read("../text")).toMatch(
    /^ralph execute finished: 1 merged .*, 2 blocked, 1 proposed .*next: ralph report/,
  );
  const short = (await box.ralph("execute")).stderr.split("\n").slice(-4, -1);
  expect(short[0]).toMatch(/^■ 2 not done: 1 done, 2 blocked, 1 proposed \(\S+\)$/);
  expect(short[1]).toMatch(/^ {2}B, C blocked: 1 attempt has failed/);
  expect(short[2]).toMatch(/^ {2}next: ralph why B · ralph execute --task B tries it again · .* · ralph report$/);
  expect(box.read("../told").trim().split("\n")).toHaveLength(1);
  box.program("plain", `cat > /dev/null; echo '<promise>DONE</promise>'; echo x > made`);
  expect((await box.ralph("run", "--prompt", "Tidy", "--agent", "plain", "--verify", "true", "-q")).code).toBe(0);
  const report = (await box.json("report")) as Report;
  const shown = report.items.map(({ kind, id, standing, outcome, proof }) => [
    kind === "loop" ? "loop" : id,
    ...[standing, outcome, proof],
  ]);
  expect(shown.sort()).toEqual([
    ["A", "done", "merged", "verified"],
    ["B", "blocked", "blocked", null],
    ["C", "blocked", "blocked", null],
    ["D", "waiting", "proposed", null],
    ["loop", "done", "still-green", "still-green"],
  ]);
  expect(report).toMatchObject({ since: "execution", leftOut: 0, todo: 0, totals: { loops: 4 } });
  const [a] = report.items.filter(({ id }) => id === "A");
  expect(a).toMatchObject({
    changes: { files: 1, added: 1, removed: 0 },
    receipts: [expect.stringMatching(/\.json$/)],
  });
  const { stdout } = await box.ralph("report");
  expect(stdout).toMatch(
    /^Report since the start of execution \w{8}, .*: 2 done, 2 blocked or not completed, 1 waiting/,
  );
  expect(stdout).toMatch(/weak proofs: \d of 2 done: 1 still-green/);
  expect(stdout).toMatch(/■ B Task B: blocked .*\n.*■ C Task C: blocked .*\n {4}all 2 for the same reason: 1 attempt /);
  expect(stdout).toContain("ralph task accept D");
  const page = await box.ralph("report", "--html", "--output", "report.html", "--since", "1h");
  expect(page).toMatchObject({ code: 0, stdout: "", stderr: "wrote report.html\n" });
  expect(box.read("report.html")).toMatch(/^<!doctype html>[\s\S]*<h2>Merged and completed<\/h2>/);
  expect((await box.ralph("report", "--markdown")).stdout).toContain("- **A** Task A: merged, verified (");
});

test.each<[string, string[], RegExp]>([
  ["a time that is none", ["--since", "soon"], /--since.*12h or 7d, or a date/],
  ["a day that does not exist", ["--since", "2026-02-30"], /--since/],
  ["a time in the future", ["--since", "2999-01-01"], /is in the future/],
  ["two formats", ["--html", "--markdown"], /use only one/],
  ["a folder as output", ["--output", "."], /\./],
])("%s is refused", async (_name, args, says) => {
  const { code, stdout, stderr } = await inProcess().ralph("report", ...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/\n {4}at /);
});

test("nothing is left behind in a folder without loops, and older loops do not count", async () => {
  const box = inProcess();
  expect((await box.ralph("report")).stdout).toMatch(/^Report since .* \(24h\): nothing happened\n/);
  expect(box.exists(box.state)).toBe(false);
  await box.ralph("run", "--prompt", "x", "--agent", "true", "-m", "1", "-q");
  await inJournal(box, async (store) => {
    for (const [id, days] of [
      ["aaaa0001", 3],
      ["aaaa0002", 30],
    ] as const)
      await writeLoop(store, {
        ...{ id, spec: someSpec({ title: id }), atMs: Date.now() - days * 86_400_000 },
        events: [turnBegan(1), turnEnded(1), { type: "loop.stopped", reason: "blocked", detail: "which database?" }],
      });
  });
  const idsOf = async (...args: string[]) => ((await box.json("report", ...args)) as Report).items.map(({ id }) => id);
  expect(await idsOf()).toHaveLength(1);
  expect(await idsOf("--since", "7d")).toHaveLength(2);
  expect((await box.ralph("report", "--since", "7d")).stdout).toMatch(
    /Waiting for you\n {2}\? aaaa0001 aaaa0001: blocked .*\n.*: which database\?\n/,
  );
});

full("a report of thousands of loops reads only the newest in detail", async () => {
  const box = inProcess();
  await box.ralph("run", "--prompt", "x", "--agent", "true", "-m", "1", "-q");
  await inJournal(box, async (store) => {
    for (let i = 0; i < 2_000; i++)
      await writeLoop(store, {
        ...{ id: `b${String(i).padStart(7, "0")}`, spec: someSpec({ title: `loop ${i}` }) },
        events: [turnBegan(1), turnEnded(1), { type: "loop.stopped", reason: "stuck", detail: "" }],
      });
  });
  const report = (await box.json("report")) as Report;
  expect(report).toMatchObject({ leftOut: 1_701, totals: { loops: 2_001 } });
  expect(report.items).toHaveLength(300);
});
