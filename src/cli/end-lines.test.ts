import { expect, test } from "vitest";
import { someVerified } from "../../test/support/receipts.ts";
import { reduce } from "../core/loop/reduce.ts";
import { START } from "../core/loop/state.ts";
import { endLines } from "./end-lines.ts";

const stopped = { reason: "iteration-limit", detail: "2 of 2" } as const;
const spent = { inputTokens: 900, cachedTokens: 0, outputTokens: 100, costUsd: 1.5 };

test("tells why, what it took, what to do next, and which effects failed on the way", () => {
  const failed = new Map([
    ["push", "no\nremote"],
    ["tag nightly", "exists"],
  ]);
  expect(
    endLines("3f2a", { ...START, n: 2, activeMs: 61_000, spent, stopped }, { failedEffects: failed, receipt: null }),
  ).toEqual([
    "■ iteration-limit: 2 of 2 (2 iterations, 1m 1s, $1.50, 1000 tokens)",
    "  next: ralph resume 3f2a -m <more>",
    "  look: ralph why 3f2a · ralph logs 3f2a",
    "  a push failed on the way: no remote",
    "  a tag nightly failed on the way: exists",
  ]);
});

test("a verified loop tells where its receipt is", () => {
  const state = { ...START, n: 1, stopped: { reason: "verified", detail: "1 of 1 checks pass" } } as const;
  expect(endLines("3f2a", state, { failedEffects: new Map(), receipt: ".ralph/receipts/3f2a.json" })).toEqual([
    "✓ verified: 1 of 1 checks pass (1 iteration, 0ms)",
    "  receipt: .ralph/receipts/3f2a.json",
    "  look: ralph why 3f2a · ralph logs 3f2a",
  ]);
});

test.each<[string, string[]]>([
  ["promise only", ['  promise only: add --verify "<command>" so that proof ends the loop']],
  [
    "judge unavailable, promise only",
    [
      '  judge unavailable: the promise alone decided; "on_error": "unknown" lets nothing pass without the judge',
      '  promise only: add --verify "<command>" so that proof ends the loop',
    ],
  ],
])("a proof that is weaker than it looks tells what would help: %s", (label, lines) => {
  const state = someVerified({ verdict: { label } }).reduce(reduce, START);
  const told = endLines("3f2a", state, { failedEffects: new Map(), receipt: null });
  expect(told.slice(1, -1)).toEqual(lines);
});
