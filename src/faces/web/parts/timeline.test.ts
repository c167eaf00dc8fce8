import { h } from "preact";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { CheckLine, TimelineItem } from "../../../core/view/loop-page.ts";
import { checkLine } from "../../../core/view/timeline.ts";
import { Checks } from "./checks.tsx";
import { Timeline } from "./timeline.tsx";

const EVIL = '<img src=x onerror="alert(1)">';

const check: CheckLine = {
  name: "unit tests",
  command: `npm test ${EVIL}`,
  tone: "bad",
  words: "failed: exit code 1",
  since: "newly failing",
  tests: "14 tests, 1 failed",
  failing: [`adds ${EVIL}`],
  findings: [`not shown: ${EVIL}`],
  excerpt: `expected 1 ${EVIL}`,
  ms: 3_000,
};
const iteration = (n: number, more: Partial<TimelineItem> = {}): TimelineItem => ({
  n,
  attempt: 1,
  agent: "claude",
  model: EVIL,
  beganMs: 1_000,
  endedMs: 61_000,
  tone: "bad",
  phases: [
    { name: "claim", tone: "good", words: `done ${EVIL}`, details: [], checks: [] },
    { name: "verdict", tone: "bad", words: "refused", details: [EVIL], checks: [check] },
    { name: "verdict", tone: "bad", words: "refused again", details: [], checks: [] },
  ],
  effects: [{ tone: "good", words: `commit ${EVIL}` }],
  costUsd: 0.5,
  tokens: 1_200,
  proved: { proved: 1, of: 2 },
  decision: `next iteration ${EVIL}`,
  ...more,
});
const shown = (...items: TimelineItem[]): string =>
  render(h(Timeline, { items, onOutput: () => undefined, onDiff: () => undefined }));

test("the newest iteration is first and open; the phases of the others can be read without opening them", () => {
  const html = shown(iteration(1), iteration(2));
  expect(html.indexOf("Iteration 2")).toBeLessThan(html.indexOf("Iteration 1"));
  expect(html.match(/<details open[^>]*><summary><span class="iteration-title/g)).toHaveLength(1);
  const closed = html.slice(html.indexOf("Iteration 1")).replace(/<[^>]*>/g, " ");
  expect(closed.replace(/\s+/g, " ")).toMatch(/✓ Claim : done .*→ ✗ Verdict : refused\. .*→ ✗ Verdict : refused again/);
});

test("an open iteration has the failing tests, output, effects and the decision", () => {
  const text = shown(iteration(1)).replace(/<[^>]*>/g, " ");
  for (const words of ["14 tests, 1 failed", "newly failing", "adds ", "expected 1", "commit ", "next iteration"])
    expect(text).toContain(words);
});

test("of many failing tests, it says how many are not shown", () => {
  const failing = Array.from({ length: 200 }, (_, n) => `test ${n}`);
  const result = { name: "unit tests", command: "npm test", reason: "exit code 1", excerpt: "", ms: 1 };
  const checks = [checkLine({ ...result, is: "fail" }, failing)];
  const text = render(h(Checks, { checks })).replace(/<[^>]*>/g, "\n");
  expect(text).toContain("test 49");
  expect(text).not.toContain("test 50");
  expect(text.match(/and \d+ more/g)).toEqual(["and 150 more"]);
});

test("nothing that an agent wrote is markup", () => {
  expect(shown(iteration(1))).not.toContain("<img");
});
