import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkFolder } from "../../../test/support/check.ts";
import { plainCommand } from "../../core/proof/methods/external.ts";
import type { External } from "../../core/proof/proof.ts";
import { openRunCache } from "./run-cache.ts";

const COUNT = "echo x >> ../runs; echo 3 passed";

type Given = Partial<External & { cache: boolean }>;

/** Runs the checks one after the other; returns how often the command ran, and each result. */
async function results(checks: Given[], treeOf: () => string | null = () => "t", command = COUNT) {
  const box = checkFolder();
  const known = checks.filter(({ cache = true }) => cache).map((more) => ({ ...plainCommand(command), ...more }));
  let looks = 0;
  const runs = openRunCache(known, async () => {
    looks++;
    return treeOf();
  });
  const answers = [];
  for (const more of checks) answers.push(await box.check(command, more, { runs }));
  const ran = readFileSync(join(box.root, "runs"), "utf8").trim().split("\n").length;
  return { ran, looks, answers };
}

test("an equal run on the same tree is reused, with its log, its time and its hash", async () => {
  const { ran, answers } = await results([{}, {}, { workingDir: "./" }]);
  expect(ran).toBe(1);
  const [first, second, third] = answers;
  expect(first).not.toHaveProperty("cached");
  expect(second).toEqual({ ...first, cached: true });
  expect(third).toMatchObject({ cached: true, is: "pass" });
});

test("every check has its own rules", async () => {
  const { ran, answers } = await results([
    { outputContains: ["3 passed"] },
    { outputContains: ["4 passed"] },
    { outputNotContains: ["passed"] },
    { successExitCode: 1 },
  ]);
  expect(ran).toBe(1);
  expect(answers.map((answer) => answer?.is)).toEqual(["pass", "fail", "fail", "fail"]);
});

test("a failure is reused too", async () => {
  const { ran, answers } = await results([{}, {}], () => "t", `${COUNT}; exit 1`);
  expect([ran, answers.map((answer) => answer?.is)]).toEqual([1, ["fail", "fail"]]);
});

let changes = 0;
test.each<[string, Given[], () => string | null, string?]>([
  ["if the tree is unknown", [{}, {}], () => null],
  ["if the tree changes all the time", [{}, {}], () => `t${changes++}`],
  ["if one of them forbids it", [{}, { cache: false }], () => "t"],
  ["with other variables", [{ env: { A: "1" } }, { env: { A: "2" } }], () => "t"],
  ["of a command that could not run", [{}, {}], () => "t", `${COUNT}; exit 127`],
  ["of a killed one", [{}, {}], () => "t", `${COUNT}; kill -9 $$`],
  ["of one that timed out", [{ timeoutMs: 600 }, { timeoutMs: 600 }], () => "t", `${COUNT}; sleep 30`],
  ["of one that took longer than this one's timeout", [{}, { timeoutMs: 600 }], () => "t", `${COUNT}; sleep 0.7`],
])("no run is reused %s", async (_name, checks, treeOf, command = COUNT) => {
  const { ran, answers } = await results(checks, treeOf, command);
  expect(ran).toBe(2);
  expect(answers.some((answer) => answer?.cached)).toBe(false);
});

test("another folder is not reused", async () => {
  const box = checkFolder();
  box.write("a/x", "");
  const command = 'echo x >> "$RUNS"';
  const env = { RUNS: join(box.root, "runs") };
  const checks = [".", "a"].map((workingDir) => ({ env, workingDir }));
  const known = [...checks, ...checks].map((more) => ({ ...plainCommand(command), ...more }));
  const runs = openRunCache(known, async () => "t");
  for (const more of checks) await box.check(command, more, { runs });
  expect(readFileSync(env.RUNS, "utf8")).toBe("x\nx\n");
});

test("a tree that changed during the run is not reused", async () => {
  let tree = 0;
  // Before, after: changed. Then it stays the same.
  const { ran } = await results([{}, {}, {}], () => `t${Math.min(tree++, 1)}`);
  expect(ran).toBe(2);
});

test("another root is not reused", async () => {
  const [one, other] = [checkFolder(), checkFolder()];
  const check = plainCommand("pwd");
  const runs = openRunCache([check, check], async () => "t");
  await one.check("pwd", {}, { runs });
  expect(await other.check("pwd", {}, { runs })).not.toHaveProperty("cached");
});

test("a command that occurs once needs no read of the tree", async () => {
  expect(await results([{}])).toMatchObject({ ran: 1, looks: 0 });
});

test("of two that run in parallel the second waits for the first", async () => {
  const box = checkFolder();
  const check = plainCommand(`${COUNT}; sleep 0.2`);
  const runs = openRunCache([check, check], async () => "t");
  const both = await Promise.all([1, 2].map(() => box.check(check.command, {}, { runs })));
  expect(readFileSync(join(box.root, "runs"), "utf8")).toBe("x\n");
  expect(both.map((result) => result?.cached)).toEqual([undefined, true]);
});
