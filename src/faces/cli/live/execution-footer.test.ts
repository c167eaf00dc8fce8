import { expect, test } from "vitest";
import { stripAnsi } from "../../../core/ansi.ts";
import type { BoardView } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { totalsOf } from "../../../core/view/totals.ts";
import { cellsOf } from "../../terminal/cells.ts";
import { type Footer, footerLines } from "./execution-footer.ts";

const NOW = 10_000_000;

const card = (id: string, more: Partial<Card> = {}): Card => ({
  ...{ id, title: `Task ${id}`, spec: "s", status: "implementing", lane: "implementing", priority: 1, tone: "active" },
  ...{
    badge: "🔄 Coder (3/15)",
    label: "Coder (3/15)",
    place: "coder",
    loop: "l1",
    iteration: 3,
    maxIterations: 15,
    attempt: 1,
  },
  ...{ proved: null, proof: null, costUsd: 0.8, tokens: 10, sinceMs: NOW - 125_000, waitUntilMs: null },
  ...{ held: false, driven: true, waitsFor: [], why: "", turnBeganMs: NOW - 125_000, heardMs: NOW - 1_000 },
  ...{ doing: { kind: "tool", text: "Bash npm test", sinceMs: NOW - 12_000 }, agent: "claude", model: null },
  updatedMs: NOW - 125_000,
  ...more,
});

const at = (status: Card["status"], n: number): Card[] =>
  Array.from({ length: n }, (_, i) => card(`${status}-${i}`, { status, driven: false, costUsd: 0 }));

/** An execution whose slots work on these cards; null is a free one. */
function footer(slots: readonly (Card | null)[], others: readonly Card[] = [], more: Partial<Footer> = {}): Footer {
  const cards = [...slots.flatMap((one) => one ?? []), ...others];
  const view: BoardView = {
    ...{ at: 1, cards, loops: [], totals: totalsOf(cards, []), todayUsd: 0 },
    executions: [
      {
        ...{ id: "e", holder: { pid: 7, machine: "m" }, startedMs: 0, target: "main", merging: [] },
        slots: slots.map((one) => one && { task: one.id, sinceMs: 0 }),
      },
    ],
  };
  return { view, pid: 7, startedMs: NOW - 7_440_000, only: null, spec: null, spentUsd: 0, ...more };
}

const shown = (what: Footer, columns = 80, rows = 24): string[] =>
  footerLines(what, NOW, { columns, rows }).map(stripAnsi);

test.each<[string, Footer, string[]]>([
  [
    "a line for each busy slot, and totals",
    footer(
      [card("T-3"), null, card("TASK-12", { badge: "🔄 QA (1/5)", label: "QA (1/5)", doing: null })],
      [...at("done", 4), ...at("blocked", 1), ...at("todo", 3)],
    ),
    [
      " 1 T-3     Coder (3/15)  Bash npm test 12s  2m 05s",
      " 3 TASK-12 QA (1/5)      thinking  2m 05s",
      " 4/10 merged, 1 blocked, $1.60, 2h 04m",
    ],
  ],
  ["only totals before anything runs", footer([null]), [" 0/0 merged, 2h 04m"]],
  [
    "how long an agent is silent",
    footer([card("T-3", { heardMs: NOW - 180_000, turnBeganMs: NOW - 400_000, doing: null })]),
    [" 1 T-3 Coder (3/15)  silent for 3m  2m 05s", " 0/1 merged, $0.80, 2h 04m"],
  ],
  [
    "why a task waits",
    footer([
      card("T-3", { badge: "⏳ Merge", tone: "warn", why: "the checkout has changes", doing: null, turnBeganMs: null }),
    ]),
    [" 1 T-3 ⏳ Merge  the checkout has changes  2m 05s", " 0/1 merged, $0.80, 2h 04m"],
  ],
  [
    "the tasks and the cost of this execution only",
    footer([card("T-3")], [...at("done", 4)], { only: ["T-3"], spentUsd: 0.5 }),
    [" 1 T-3 Coder (3/15)  Bash npm test 12s  2m 05s", " 0/1 merged, $0.30, 2h 04m"],
  ],
  ["nothing of executions of other processes", footer([card("T-3")], [], { pid: 8 }), [" 0/1 merged, $0.80, 2h 04m"]],
])("a footer shows %s", (_name, what, lines) => expect(shown(what)).toEqual(lines));

const six = footer(
  Array.from({ length: 6 }, (_, i) => card(`T-${i}`)),
  at("blocked", 2),
);

test.each<[number, string[]]>([
  [24, ["1", "2", "3", "4", "5", "6", "0/8"]],
  [18, ["1", "2", "3", "4", "and", "0/8"]],
  [9, ["1", "and", "0/8"]],
  [6, ["6", "0/8"]],
  [5, ["0/8"]],
])("with %i rows it takes a third of them", (rows, first) =>
  expect(shown(six, 80, rows).map((line) => line.trim().split(" ")[0])).toEqual(first));

test.each<[number, string, string]>([
  [60, " 1 T-0 Coder (3/15)  Bash npm test 12s  2m 05s", " 0/8 merged, 2 blocked, $4.80, 2h 04m"],
  [42, " 1 T-0 Coder (3/15)  Bash npm test 12s", " 0/8 merged, 2 blocked, $4.80, 2h 04m"],
  [34, " 1 T-0 Coder (3/15)  Bash npm te…", " 0/8 merged, 2 blocked, $4.80"],
  [25, " 1 T-0 Coder (3/15)  Ba…", " 0/8 merged, 2 blocked"],
  [16, " 1 T-0 Coder (…", " 0/8 merged"],
])("with %i columns the most urgent is left", (columns, slot, totals) => {
  const lines = shown(six, columns);
  expect([lines[0], lines.at(-1)]).toEqual([slot, totals]);
  for (const line of lines) expect(cellsOf(line)).toBeLessThan(columns);
});

test("a stage that is continued has been running since this execution took it", () => {
  const what = footer([card("T-3")]);
  const executions = what.view.executions.map((one) => ({
    ...one,
    slots: [{ task: "T-3", sinceMs: NOW - 5_000 }],
  }));
  expect(shown({ ...what, view: { ...what.view, executions } })[0]).toBe(" 1 T-3 Coder (3/15)  Bash npm test 12s  5s");
});
