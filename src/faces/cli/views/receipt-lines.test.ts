import { expect, test } from "vitest";
import { someReceipt } from "../../../../test/support/receipts.ts";
import { provedBy, someSpec } from "../../../../test/support/spec.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import type { Level } from "../../../core/proof/level.ts";
import { receiptLines } from "./receipt-lines.ts";

test("no line is wider than the terminal, and continuations are indented below the value", async () => {
  const place = { head: "a".repeat(40), gitTree: "b".repeat(40), tree: "x" };
  const draft = await someReceipt({ spec: someSpec({ proof: provedBy(["npm test"]) }), verdict: place });
  const lines = receiptLines({ ...draft, digest: `sha256:${"0".repeat(64)}` }, 80).flatMap((line) =>
    stripAnsi(line).split("\n"),
  );
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const commit = lines.findIndex((line) => line.startsWith("  commit"));
  expect(lines.slice(commit, commit + 2)).toEqual([
    `  commit    ${place.head} with uncommitted changes:`,
    "            the proven state is in no commit",
  ]);
});

test.each<[Level, string[], string[]]>([
  ["verified", [], ["  proof     ✓ verified: a check that failed before the work passes now"]],
  [
    "still-green",
    ["2 test files changed"],
    [
      "  proof     ~ still-green: every check passes, as before the work: that proves nothing new",
      "  weak      2 test files changed",
    ],
  ],
  ["promise-only", [], ["  proof     ? promise-only: only the agent's word says that it is done"]],
])("the proof is shown: %s %j", async (proof, weak, rows) => {
  const lines = receiptLines({ ...(await someReceipt({ verdict: { proof, weak } })), digest: "" }).map(stripAnsi);
  const at = lines.findIndex((line) => line.startsWith("  proof"));
  expect(lines.slice(at, at + rows.length)).toEqual(rows);
});

test.each<[string, Record<string, string>, string]>([
  ["nothing", {}, "0 files"],
  ["a script", { "package.json#scripts.test": "a" }, "1 setting"],
  ["both", { "check.sh": "a", "package.json#scripts.test": "a", "x.sh": "b" }, "2 files, 1 setting"],
])("protected files are counted: %s", async (_name, fingerprints, words) => {
  const draft = await someReceipt({ fingerprints });
  expect(receiptLines({ ...draft, digest: "" }).map(stripAnsi)).toContain(`  protected ${words}`);
});

test("what kept the oracle from the agent is shown", async () => {
  const cleanRoom = { mode: "oracle", setup: null, cached: [], timeoutMs: 1 } as const;
  const proof = provedBy(["npm test"], { scope: ["src/**"], cleanRoom, differential: true, services: true });
  const draft = await someReceipt({ spec: someSpec({ proof }) });
  const lines = receiptLines({ ...draft, digest: "" }).map(stripAnsi);
  expect(lines.filter((line) => /^ {2}(scope|with) /.test(line))).toEqual([
    "  scope     src/**",
    "  with      oracle room: commands and plugins see the tree at the start and the changes within the scope",
    "  with      the checks also run on the new work with the old tests",
    "  with      processes that a turn leaves running are kept",
  ]);
});
