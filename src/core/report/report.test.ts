import { expect, test } from "vitest";
import { equalReasons } from "./equal-reasons.ts";
import { reportLines } from "./lines.ts";
import { markdownReport } from "./markdown.ts";
import { pageReport } from "./page.ts";
import type { Report, ReportItem } from "./report.ts";

const item = (id: string, more: Partial<ReportItem> = {}): ReportItem => ({
  ...{ kind: "task", id, title: `Title of ${id}`, standing: "done", outcome: "merged", proof: "verified", why: "" },
  ...{ weak: [], next: `ralph diff ${id}`, loops: 1, iterations: 2, costUsd: 0.5, tokens: 10, beganAtMs: 0 },
  ...{ updatedAtMs: 61_000, changes: null, merged: null, receipts: [] },
  ...more,
});
const report = (items: readonly ReportItem[], more: Partial<Report> = {}): Report => ({
  ...{ fromMs: 0, toMs: 43_200_000, since: "asked", execution: null, items, leftOut: 0 },
  ...{ earlier: { blocked: 0, proposed: 0 }, todo: 0 },
  totals: { loops: 3, iterations: 6, costUsd: 1.5, tokens: 30 },
  ...more,
});
const clock = () => "22:00";
const textOf = (of: Report) =>
  reportLines(of, clock)
    .map(({ text }) => text)
    .join("\n");

const blocked = (id: string, why: string) =>
  item(id, { standing: "blocked", outcome: "blocked", proof: null, why, next: `ralph why ${id}` });

const night = report(
  [
    item("A", { changes: { files: 2, added: 12, removed: 3 }, receipts: ["r/1.json", "r/2.json"] }),
    item("B", { proof: "still-green", weak: ["nothing was protected"] }),
    blocked("C", "3 attempts have failed: C: npm test: exit code 1"),
    blocked("D", "3 attempts have failed: D: npm test: exit code 1"),
    blocked("E", "merge conflicts"),
    item("F", {
      standing: "waiting",
      outcome: "proposed",
      proof: null,
      why: "proposed by agent",
      next: "ralph task accept F",
    }),
    item("G", { standing: "running", outcome: "coder", proof: null, next: "ralph logs -f G" }),
  ],
  { since: "execution", execution: "ab12", todo: 2, earlier: { blocked: 1, proposed: 0 }, leftOut: 4 },
);

test("the text has every section, equal reasons once, and the command for each", () => {
  expect(textOf(night)).toBe(`\
Report since the start of execution ab12, 22:00 (12h): 2 done, 3 blocked or not completed, 1 waiting for you, 1 running
  $1.50, 30 tokens, 3 loops, 6 iterations
  weak proofs: 1 of 2 done: 1 still-green, 1 for the reason shown below

Merged and completed
A Title of A: merged, verified (1m 1s, 2 iterations, $0.50, 2 files +12 -3)
    ralph diff A · receipt r/1.json and 1 more
B Title of B: merged, still-green (1m 1s, 2 iterations, $0.50)
    weak: nothing was protected
    ralph diff B

Blocked or not completed
C Title of C: blocked (1m 1s, 2 iterations, $0.50)
D Title of D: blocked (1m 1s, 2 iterations, $0.50)
    all 2 for the same reason: 3 attempts have failed: …: npm test: exit code 1
    ralph why C · ralph why D
E Title of E: blocked (1m 1s, 2 iterations, $0.50)
    merge conflicts
    ralph why E

Waiting for you
F Title of F: proposed (1m 1s, 2 iterations, $0.50)
    proposed by agent
    ralph task accept F

Still running
G Title of G: coder (1m 1s, 2 iterations, $0.50)
    ralph logs -f G

4 more are not listed: ralph list, ralph task list
1 task blocked before that time: ralph task list --status blocked
2 tasks not started: ralph execute`);
});

test("a report of nothing says so", () => {
  const nothing = report([], { totals: { loops: 0, iterations: 0, costUsd: 0, tokens: 0 } });
  expect(textOf(nothing)).toBe("Report since 22:00 (12h): nothing happened\n  0 loops, 0 iterations");
});

const EVIL = "</p><script>alert(1)</script> `x` **b** [a](javascript:x) @all\n# head \u001b[31m";
const evil = report([
  item("A", { title: EVIL, weak: [EVIL], receipts: [EVIL] }),
  item("B", { title: EVIL, standing: "blocked", outcome: "blocked", proof: null, why: EVIL, next: EVIL }),
]);

test("text by others is text in every format", () => {
  const page = pageReport(evil, { clock, made: "now" });
  expect(page).toContain("&lt;script&gt;");
  expect(page).not.toMatch(/<script|<a |\u001b/);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("prefers-color-scheme:dark");
  // Text in a code span is text.
  const markdown = markdownReport(evil, clock).replace(/(?<!\\)`[^`\n]*`/g, "");
  expect(markdown).not.toMatch(/[^\\]<script|[^\\]\*\*b|[^\\]\[a\]|\n# head|@all|\u001b/);
  expect(textOf(evil)).not.toMatch(/\u001b|\n# head/);
});

test("Markdown and HTML have the sections of the text", () => {
  const [markdown, page] = [markdownReport(night, clock), pageReport(night, { clock, made: "now" })];
  for (const text of ["Merged and completed", "Blocked or not completed", "Waiting for you", "Still running"]) {
    expect(markdown).toContain(`## ${text}`);
    expect(page).toContain(`<h2>${text}</h2>`);
  }
  expect(markdown).toContain(
    "- **D** Title of D: blocked (1m 1s, 2 iterations, $0.50)\n  - 2 tasks for the same reason: 3 attempts",
  );
  expect(page).toContain("2 tasks for the same reason: 3 attempts have failed");
});

test("reasons are equal although each names its own item", () => {
  const groups = equalReasons([
    { id: "T-1", why: "see tasks/T-1/setup.log" },
    { id: "T-2", why: "other" },
    { id: "T-3", why: "see tasks/T-3/setup.log" },
  ]);
  expect(groups.map(({ why, items }) => [why, items.map(({ id }) => id)])).toEqual([
    ["see tasks/…/setup.log", ["T-1", "T-3"]],
    ["other", ["T-2"]],
  ]);
});
