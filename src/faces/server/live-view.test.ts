import { expect, test } from "vitest";
import { type BoardChange, type BoardView, NO_VIEW } from "../../core/view/board.ts";
import type { Board } from "../../runtime/view/board.ts";
import { openLiveView } from "./live-view.ts";

const viewAt = (at: number): BoardView => ({ ...NO_VIEW, at });
const changeAt = (at: number): BoardChange => ({
  ...{ at, cards: [], gone: [], order: null, executions: null, loops: [], totals: null, todayUsd: null, subjects: [] },
});

/** A board that the test moves by hand. */
function handBoard() {
  const listeners = new Set<Parameters<Board["listen"]>>();
  let view = viewAt(1);
  let problem: string | null = null;
  let isOpen = false;
  const board: Board = {
    view: () => view,
    problem: () => problem,
    listen(...own) {
      listeners.add(own);
      return { close: () => void listeners.delete(own) };
    },
    close: () => {
      isOpen = false;
    },
  };
  return {
    open: async () => {
      isOpen = true;
      return board;
    },
    isOpen: () => isOpen,
    listeners: () => listeners.size,
    moveTo(at: number) {
      view = viewAt(at);
      for (const [listener] of [...listeners]) listener(changeAt(at), view);
    },
    fail(found: string | null) {
      problem = found;
      for (const [, onProblem] of [...listeners]) onProblem?.(found);
    },
  };
}

/** The next event as its name and its `at`. */
async function next(text: AsyncGenerator<string>): Promise<string> {
  const { value } = await text.next();
  const [, name, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(String(value)) ?? [];
  return name && data ? `${name} ${JSON.parse(data).at}` : String(value);
}

test("a client gets the view, then changes; the board is open only while there are clients", async () => {
  const board = handBoard();
  const live = openLiveView(board.open, 0);
  const quit = new AbortController();
  const text = live.text(quit.signal);
  expect(await next(text)).toBe("retry: 2000\n\n");
  expect(await next(text)).toBe("view 1");
  const pending = next(text);
  board.moveTo(2);
  expect(await pending).toBe("change 2");
  board.moveTo(3);
  board.moveTo(4);
  expect([await next(text), await next(text)]).toEqual(["change 3", "change 4"]);
  const last = next(text);
  quit.abort();
  await last;
  expect(board.listeners()).toBe(0);
  await expect.poll(board.isOpen).toBe(false);
  expect((await live.view()).at).toBe(4);
});

test("a client that does not read keeps nothing, and gets the whole view afterwards", async () => {
  const board = handBoard();
  const live = openLiveView(board.open, 0);
  const text = live.text(new AbortController().signal);
  await next(text);
  await next(text);
  for (let at = 2; at <= 1_000; at++) board.moveTo(at);
  expect(await next(text)).toBe("view 1000");
  board.moveTo(1_001);
  expect(await next(text)).toBe("change 1001");
  await text.return(undefined);
  expect(board.listeners()).toBe(0);
});

test("clients learn that the journal cannot be read, also those that come later, and that it can be again", async () => {
  const board = handBoard();
  const live = openLiveView(board.open, 0);
  const [first, second] = [1, 2].map(() => live.text(new AbortController().signal));
  for (const text of [first, first]) await text?.next();
  const pending = first?.next();
  board.fail("the database is busy");
  expect((await pending)?.value).toBe('event: problem\ndata: "the database is busy"\n\n');
  const late = [await second?.next(), await second?.next(), await second?.next()];
  expect(late.map((one) => /^event: (\w+)/m.exec(String(one?.value))?.[1])).toEqual([undefined, "view", "problem"]);
  const ends = [first?.next(), second?.next()];
  board.fail(null);
  for (const end of ends) expect((await end)?.value).toBe("event: problem\ndata: null\n\n");
  for (const text of [first, second]) await text?.return(undefined);
});

test("a board that cannot be opened is tried again", async () => {
  const board = handBoard();
  let tries = 0;
  const live = openLiveView(() => (tries++ === 0 ? Promise.reject(new Error("busy")) : board.open()), 0);
  await expect(live.view()).rejects.toThrow("busy");
  expect((await live.view()).at).toBe(1);
});
