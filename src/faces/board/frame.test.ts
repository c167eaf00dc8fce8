import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { boardView, loopLike, NOW } from "../../../test/support/views.ts";
import { stripAnsi } from "../../core/ansi.ts";
import { type BoardView, NO_VIEW } from "../../core/view/board.ts";
import { LANE_TITLES, LANES } from "../../core/view/lanes.ts";
import { graphemesOf } from "../terminal/cells.ts";
import type { Row } from "../terminal/frame.ts";
import { cardsThatFit, LEAST_LANE, lanePlaces } from "./board-rows.ts";
import { frame, LEAST } from "./frame.ts";
import { readAgain } from "./page.ts";
import { press } from "./press.ts";
import { type BoardState, cardAt, lanesIn, openingState } from "./state.ts";

const anySize = fc.record({ columns: fc.constantFrom(60, 80, 120, 200), rows: fc.constantFrom(16, 24, 40, 60) });
const anyKeys = fc.array(
  fc.constantFrom("left", "right", "up", "down", "G", "g", "page-down", "tab", "x", "j", "l", "?", "c", "escape"),
  { maxLength: 20 },
);

const opened = (view: BoardView): BoardState => openingState(view, { repository: "shop", spec: null, nowMs: NOW });

const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Two terminals that disagree: emoji are two cells or one. */
const WIDTHS: Record<string, (text: string) => number> = {
  "emoji are two cells": (text) => cellsWith(text, 2),
  "emoji are one cell": (text) => cellsWith(text, 1),
};
function cellsWith(text: string, emoji: 1 | 2): number {
  let cells = 0;
  for (const { segment } of graphemesOf(stripAnsi(text))) {
    const isEmoji = /\p{Emoji_Presentation}/u.test(segment) || (/\ufe0f/.test(segment) && /\p{Emoji}/u.test(segment));
    const isNothing = /^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u.test(segment);
    cells += isEmoji ? emoji : WIDE.test(segment) ? 2 : isNothing ? 0 : 1;
  }
  return cells;
}

const textOf = (rows: readonly Row[]): string =>
  rows.map((row) => row.map(({ text }) => stripAnsi(text)).join(" ")).join("\n");

describe("any view at any size", () => {
  test.each(Object.entries(WIDTHS))("no row is wider than the screen where %s", (_name, widthOf) => {
    fc.assert(
      fc.property(boardView, anySize, anyKeys, (view, size, keys) => {
        const state = keys.reduce((before, key) => press(before, key, size).state, opened(view));
        const rows = frame(state, size);
        expect(rows).toHaveLength(size.rows);
        for (const row of rows)
          for (const { column, text } of row) expect(column + widthOf(text)).toBeLessThanOrEqual(size.columns);
      }),
      { numRuns: runs(300) },
    );
  });

  test("every lane begins at its column, and every card that fits is drawn there", () => {
    fc.assert(
      fc.property(boardView, anySize, anyKeys, (view, size, keys) => {
        const moves = keys.filter((key) => key !== "?" && key !== "c");
        const state = moves.reduce((before, key) => press(before, key, size).state, opened(view));
        const rows = frame(state, size);
        for (const { lane, x, width } of lanePlaces(state.lane, size.columns)) {
          expect(width).toBeGreaterThanOrEqual(LEAST_LANE);
          const own = rows.map((row) => row.filter(({ column }) => column >= x && column < x + width));
          const title = own.findIndex((row) => row[0]?.column === x && row[0].text.includes(LANE_TITLES[lane]));
          expect(title).toBeGreaterThan(0);
          const fit = Math.min(lanesIn(state)[lane].length, cardsThatFit(state, size));
          const boxes = own.slice(title).filter(([first]) => first?.column === x && /^[^┌┏]*[┌┏]/.test(first.text));
          expect(boxes.length).toBeGreaterThanOrEqual(fit);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test("the selection is always visible, without colours too", () => {
    fc.assert(
      fc.property(boardView, anySize, anyKeys, (view, size, keys) => {
        const moves = keys.filter((key) => key !== "?" && key !== "c");
        const state = moves.reduce((before, key) => press(before, key, size).state, opened(view));
        const card = cardAt(state);
        if (!card || state.zone !== "lanes") return;
        const marked = frame(state, size)
          .flat()
          .filter(({ text }) => text.includes("\u001b[7m") && stripAnsi(text).startsWith(card.id));
        expect(marked).toHaveLength(1);
      }),
      { numRuns: runs(300) },
    );
  });
});

test("at 80 columns the focused lane has its neighbours, and the others are counts", () => {
  const size = { columns: 80, rows: 24 };
  const [view = NO_VIEW] = fc.sample(boardView, { numRuns: 1, seed: 7 });
  const state = { ...opened(view), lane: "testing" as const };
  expect(lanePlaces("testing", 80).map(({ lane }) => lane)).toEqual(["reviewing", "testing", "qa"]);
  expect(lanePlaces("todo", 80).map(({ lane }) => lane)).toEqual(["todo", "implementing", "reviewing"]);
  expect(lanePlaces("blocked", 80).map(({ lane }) => lane)).toEqual(["qa", "done", "blocked"]);
  const lanes = lanesIn(state);
  const text = textOf(frame(state, size));
  for (const lane of ["todo", "implementing", "done", "blocked"] as const)
    expect(text).toContain(`${LANE_TITLES[lane]} ${lanes[lane].length}`);
  expect(lanePlaces("qa", 200)).toHaveLength(LANES.length);
});

test("an empty board says what to run, and a small screen what it needs", () => {
  const text = textOf(frame(opened(NO_VIEW), { columns: 80, rows: 24 }));
  for (const command of ["ralph task add", "ralph execute", "ralph run"]) expect(text).toContain(command);
  expect(textOf(frame(opened(NO_VIEW), { columns: 40, rows: 10 }))).toContain(`${LEAST.columns}x${LEAST.rows}`);
});

test("a filter that no task passes is named, whichever lanes are shown", () => {
  const [view = NO_VIEW] = fc.sample(boardView, { numRuns: 1, seed: 7 });
  for (const lane of LANES) {
    const state = { ...opened(view), lane, filter: "no such task" };
    expect(textOf(frame(state, { columns: 80, rows: 24 }))).toContain("“no such task”");
  }
});

test("the lines of a diff have their colours", () => {
  const lines = ["diff --git a/x b/x", "@@ -1 +1 @@", "-old", "+new", " same"];
  const page = { is: "text", kind: "diff", of: "task", id: "A-1", lines, follows: false, top: 0 } as const;
  const rows = frame({ ...opened(NO_VIEW), pages: [page] }, { columns: 80, rows: 24 });
  const codes = rows.slice(2, 7).map((row) => /^\u001b\[\d+m|^/.exec(row[0]?.text ?? "")?.[0].slice(1));
  expect(codes).toEqual(["[1m", "[36m", "[31m", "[32m", ""]);
});

test("the end of a message, which says what to do next, is not cut", () => {
  const text =
    "task MAIL-1 is done and its work is merged, so it cannot be changed (`ralph task followup` creates a task now)";
  const rows = frame({ ...opened(NO_VIEW), message: { text, tone: "bad" } }, { columns: 80, rows: 24 });
  expect(rows).toHaveLength(24);
  expect(textOf(rows)).toMatch(/now\)\s*$/);
});

test("an open iteration that is longer than the screen is scrolled by screens", () => {
  const size = { columns: 80, rows: 24 };
  const details = Array.from({ length: 60 }, (_, i) => `detail ${i}.`);
  const item = {
    ...{ n: 1, attempt: 1, agent: "claude", model: null, beganMs: NOW, endedMs: NOW, tone: "plain" as const },
    ...{ effects: [], costUsd: 0, tokens: 0, proved: null, decision: "continued" },
    phases: [{ name: "verdict" as const, tone: "bad" as const, words: "fail", details, checks: [] }],
  };
  const page = {
    ...{
      line: loopLike({ id: "ab12" }),
      ended: "",
      decides: "decided" as const,
      decided: "",
      next: "",
      outcome: "",
      prompt: "",
      damage: "",
    },
    ...{ protection: [], criteria: [], weak: [], baseline: null, earlier: 0, receipt: false },
    timeline: [item, { ...item, n: 2 }],
  };
  const state = { ...opened(NO_VIEW), pages: [{ is: "loop" as const, id: "ab12", page, item: null, top: 0 }] };
  const shown = (...keys: string[]) =>
    textOf(
      frame(
        keys.reduce((before, key) => press(before, key, size).state, state as BoardState),
        size,
      ),
    );
  expect(shown()).toContain("detail 0.");
  expect(shown()).not.toContain("detail 59.");
  expect(shown("page-down", "page-down", "page-down")).toContain("detail 59.");
  expect(shown("page-down", "page-down", "page-down", "page-up", "page-up", "page-up", "page-up")).toContain(
    "Iterations",
  );
  expect(shown("page-down", "up")).toMatch(/▾ +1 [\s\S]*detail 0\./);
});

test("an open iteration stays open when earlier ones are left out", () => {
  const size = { columns: 80, rows: 24 };
  const item = {
    ...{ agent: "claude", model: null, beganMs: NOW, endedMs: NOW, tone: "plain" as const, phases: [] },
    ...{ effects: [], costUsd: 0, tokens: 0, proved: null, decision: "continued" },
  };
  const page = (...attempts: [number, number][]) => ({
    ...{
      line: loopLike({ id: "ab12" }),
      ended: "",
      decides: "decided" as const,
      decided: "",
      next: "",
      outcome: "",
      prompt: "",
      damage: "",
    },
    ...{ protection: [], criteria: [], weak: [], baseline: null, earlier: 0, receipt: false },
    timeline: attempts.map(([n, attempt]) => ({ ...item, n, attempt })),
  });
  const first = { is: "loop" as const, id: "ab12", page: page([1, 1], [2, 1], [2, 2]), item: null, top: 0 };
  const { state } = press({ ...opened(NO_VIEW), pages: [first] }, "up", size);
  const openIn = (later: ReturnType<typeof page>) => {
    const pages = state.pages.map((one) => readAgain(one, { ...first, page: later }));
    return /▾ +(\S+)/.exec(textOf(frame({ ...state, pages }, size)))?.[1];
  };
  expect(openIn(page([2, 1], [2, 2], [3, 1]))).toBe("2");
  expect(openIn(page([2, 2], [3, 1]))).toBe("2.2");
});
