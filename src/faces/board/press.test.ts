import { describe, expect, test } from "vitest";
import { cardLike, loopLike, NOW } from "../../../test/support/views.ts";
import { type BoardView, NO_VIEW } from "../../core/view/board.ts";
import type { Card } from "../../core/view/card.ts";
import type { LoopLine } from "../../core/view/loop-line.ts";
import { totalsOf } from "../../core/view/totals.ts";
import { press } from "./press.ts";
import { type BoardState, cardAt, openingState, settled } from "./state.ts";

const SIZE = { columns: 120, rows: 30 };
const CARDS = [
  cardLike({ id: "A-1", title: "Round the totals" }),
  cardLike({ id: "A-2", title: "Add a discount", spec: "prices" }),
  cardLike({
    id: "B-1",
    status: "implementing",
    place: "coder",
    driven: true,
    loop: "ab12",
    agent: "claude",
    iteration: 3,
    maxIterations: 15,
  }),
  cardLike({ id: "B-2", status: "reviewing", place: "reviewer", driven: true, loop: "cd34" }),
  cardLike({ id: "C-1", status: "blocked", why: "no agent" }),
  cardLike({ id: "D-1", status: "cancelled" }),
];

function viewOf(cards: readonly Card[], loops: readonly LoopLine[] = []): BoardView {
  const slots = cards.flatMap(({ id, driven, sinceMs }) => (driven ? [{ task: id, sinceMs }] : []));
  const execution = { id: "e1", holder: { pid: 1, machine: "m" }, startedMs: NOW, target: "main", slots, merging: [] };
  const executions = slots.length > 0 ? [execution] : [];
  return { at: 1, cards, loops, executions, totals: totalsOf(cards, loops), todayUsd: 0 };
}

const opened = (view = viewOf(CARDS)): BoardState => openingState(view, { repository: "shop", spec: null, nowMs: NOW });
const pressed = (state: BoardState, ...keys: string[]) => {
  let action = null;
  for (const key of keys) ({ state, action } = press(state, key, SIZE));
  return { state, action };
};
const selected = (...keys: string[]) => cardAt(pressed(opened(), ...keys).state)?.id;

test("where nothing runs it opens at the first lane with a task", () => {
  const cards = [
    cardLike({ id: "D-1", status: "done" }),
    cardLike({ id: "A-1" }),
    cardLike({ id: "C-1", status: "qa" }),
  ];
  expect(opened(viewOf(cards)).lane).toBe("todo");
});

describe("moving", () => {
  test.each<[string, string[], string | undefined]>([
    ["opens where something happens", [], "B-1"],
    ["left", ["left"], "A-1"],
    ["down", ["h", "j"], "A-2"],
    ["not below the last", ["h", "j", "j", "down"], "A-2"],
    ["first and last", ["h", "G", "g"], "A-1"],
    ["right", ["l"], "B-2"],
    ["not beyond the last lane", ["l", "l", "l", "l", "l", "l", "l"], "C-1"],
    ["an empty lane has no card", ["l", "l"], undefined],
    ["each lane keeps its card", ["h", "j", "l", "h"], "A-2"],
    ["a filter, while it is typed", ["/", "d", "i", "s", "c"], "A-2"],
    ["a filter by spec", ["/", ..."prices"], "A-2"],
    ["escape clears it", ["/", ..."prices", "escape", "h", "g"], "A-1"],
    ["letters of a filter are no commands", ["/", "q"], undefined],
    ["a filter that is pasted", ["/", "paste:Add a disc"], "A-2"],
    ["cancelled tasks on request, after those that are done", ["x", "l", "l", "l", "l"], "D-1"],
  ])("%s", (_name, keys, id) => {
    expect(selected(...keys)).toBe(id);
  });

  test("the cursor follows its task to another lane", () => {
    const moved = CARDS.map((card) => (card.id === "B-1" ? cardLike({ ...card, status: "testing" }) : card));
    const state = settled({ ...opened(), view: viewOf(moved) });
    expect([state.lane, cardAt(state)?.id]).toEqual(["testing", "B-1"]);
  });

  test("a task that is gone leaves the cursor at its place", () => {
    const { state } = pressed(opened(), "h", "j");
    expect(cardAt(settled({ ...state, view: viewOf(CARDS.filter(({ id }) => id !== "A-2")) }))?.id).toBe("A-1");
  });
});

describe("what keys ask for", () => {
  test.each<[string, string[], object | null]>([
    ["quit", ["q"], { do: "quit" }],
    ["Ctrl-C quits, also at a question", ["c", "ctrl-c"], { do: "quit" }],
    ["enter reads a page", ["enter"], { do: "read" }],
    ["retry of a blocked task", ["l", "l", "l", "l", "l", "r"], { do: "status", task: "C-1", status: "todo" }],
    ["no retry of a task in work", ["r"], null],
    ["no retry of a task in Todo", ["h", "r"], null],
    ["one key never cancels", ["c", "t"], null],
    ["cancel the task", ["c", "t", "y"], { do: "cancel", works: [{ kind: "task", id: "B-1" }] }],
    ["cancel its execution", ["c", "e", "y"], { do: "cancel", works: [{ kind: "execution", id: "e1" }] }],
    ["any other key cancels nothing", ["c", "t", "n"], null],
    ["pasted text is no command", ["paste:q"], null],
    ["pasted text is no answer", ["c", "t", "paste:y"], null],
    ["what does not run is no reason to stop everything", ["x", "l", "l", "l", "l", "c", "y"], null],
    [
      "everything is cancelled by its own key",
      ["x", "l", "l", "l", "l", "c", "a", "y"],
      { do: "cancel", works: [{ kind: "execution", id: "e1" }] },
    ],
    ["a task in Todo is given up", ["h", "c", "t", "y"], { do: "status", task: "A-1", status: "cancelled" }],
    ["keys act on the page on top", ["enter", "c", "t", "y"], { do: "cancel", works: [{ kind: "task", id: "B-1" }] }],
    ["keys that come later do nothing yet", ["a", "m", "p", "+", "-"], null],
  ])("%s", (_name, keys, action) => {
    expect(pressed(opened(), ...keys).action).toEqual(action);
  });

  test("all that runs is cancelled as one, and named", () => {
    const loops = [loopLike({ id: "9f9f" }), loopLike({ id: "8e8e", run: { run: "77aa", part: "build" } })];
    const { state } = pressed(opened(viewOf(CARDS, loops)), "c");
    const all = state.question?.choices.at(-1);
    expect(all?.label).toBe(
      "cancel everything that is running in this repository: execution e1 (B-1, B-2), run 77aa, loop 9f9f",
    );
    expect(pressed(state, "a", "y").action).toEqual({
      do: "cancel",
      works: [
        { kind: "execution", id: "e1" },
        { kind: "run", id: "77aa" },
        { kind: "loop", id: "9f9f" },
      ],
    });
  });

  test("where nothing else runs, one task is asked about once", () => {
    const state = opened(viewOf([cardLike({ id: "A-1" })]));
    expect(pressed(state, "c", "y").action).toEqual({ do: "status", task: "A-1", status: "cancelled" });
  });

  test("nothing is said to stop where no agent works", () => {
    const loop = loopLike({ id: "9f9f", driven: false });
    const { state } = pressed(opened(viewOf([], [loop])), "tab", "c");
    expect(state.question?.choices.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^cancel loop 9f9f: nothing works on it/),
    ]);
  });

  test("the question names what is stopped", () => {
    const { state } = pressed(opened(), "c", "t");
    expect(state.question?.choices).toHaveLength(1);
    expect(state.question?.choices[0]?.label).toMatch(/B-1.*coder, claude, iteration 3\/15/);
  });
});

describe("pages", () => {
  const pages = (...keys: string[]) => pressed(opened(), ...keys).state.pages.map(({ is }) => is);
  test.each<[string, string[], string[]]>([
    ["enter opens a task", ["enter"], ["task"]],
    ["escape goes back", ["enter", "escape"], []],
    ["help is on top", ["enter", "?"], ["task", "help"]],
    ["texts", ["t", "escape", "w", "escape", "d", "escape", "o"], ["text"]],
    ["a slot opens its task", ["tab", "enter"], ["task"]],
  ])("%s", (_name, keys, expected) => {
    expect(pages(...keys)).toEqual(expected);
  });

  test("an empty board has nothing to act on", () => {
    for (const key of ["enter", "t", "w", "d", "o", "r", "c"]) {
      const { state, action } = pressed(opened(NO_VIEW), key);
      expect([state.pages, action, state.message?.tone]).toEqual([[], null, "warn"]);
    }
  });
});
