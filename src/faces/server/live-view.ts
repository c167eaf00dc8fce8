import type { BoardChange, BoardView } from "../../core/view/board.ts";
import type { Board } from "../../runtime/view/board.ts";

/** The view that all clients share. It is read only while there are clients. */
export interface LiveView {
  view(): Promise<BoardView>;
  /** The view and its changes as Server-Sent Events, until the signal is aborted. */
  text(quit: AbortSignal): AsyncGenerator<string>;
  close(): void;
}

/** A client that has not read so many changes gets the whole view instead. */
const MOST_CHANGES = 32;
const HEARTBEAT_MS = 15_000;
/** How soon a disconnected client reconnects. */
const RETRY_MS = 2_000;
/** How long the view is kept up to date after the last client, who may only be loading a page. */
const LINGER_MS = 5_000;

export function openLiveView(open: () => Promise<Board>, lingerMs = LINGER_MS): LiveView {
  const board = sharedBoard(open, lingerMs);
  const textOf = eventTexts();
  return {
    async view() {
      const shared = await board.use();
      try {
        return shared.board.view();
      } finally {
        shared.release();
      }
    },
    async *text(quit) {
      const shared = await board.use();
      const client = follow(shared.board);
      try {
        yield `retry: ${RETRY_MS}\n\n`;
        while (!quit.aborted) {
          const news = client.next();
          if (news) yield textOf(news);
          else if (!(await client.woken(HEARTBEAT_MS, quit))) yield ": still here\n\n";
        }
      } finally {
        client.close();
        shared.release();
      }
    },
    close: board.close,
  };
}

/** Opened for the first user, and closed some time after the last one. */
function sharedBoard(open: () => Promise<Board>, lingerMs: number) {
  let opening: Promise<Board> | null = null;
  let users = 0;
  let lingering: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(lingering);
    // One that could not be opened has nothing to close.
    opening?.then((board) => board.close()).catch(() => undefined);
    opening = null;
  };
  return {
    close,
    async use() {
      clearTimeout(lingering);
      users++;
      let isUsed = true;
      const release = () => {
        if (isUsed) users--;
        isUsed = false;
        if (users === 0) lingering = setTimeout(close, lingerMs).unref();
      };
      try {
        opening ??= open();
        return { board: await opening, release };
      } catch (error) {
        opening = null;
        release();
        throw error;
      }
    },
  };
}

type News = { view: BoardView } | { change: BoardChange } | { problem: string | null };

/** What one client has not read yet, in bounded memory. */
function follow(board: Board) {
  let changes: BoardChange[] = [];
  let isBehind = true;
  /** As the client knows it. */
  let problem: string | null = null;
  let wake: (() => void) | null = null;
  const onChange = (change: BoardChange) => {
    if (changes.length >= MOST_CHANGES) isBehind = true;
    if (isBehind) changes = [];
    else changes.push(change);
    wake?.();
  };
  const listening = board.listen(onChange, () => wake?.());
  return {
    close: listening.close,
    next(): News | null {
      if (isBehind) {
        isBehind = false;
        return { view: board.view() };
      }
      const change = changes.shift();
      if (change) return { change };
      if (board.problem() === problem) return null;
      problem = board.problem();
      return { problem };
    },
    /** Whether there is news, or the client is to be left, before that time is over. */
    woken: (waitMs: number, quit: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        const end = (isWoken: boolean) => {
          clearTimeout(timer);
          quit.removeEventListener("abort", left);
          wake = null;
          resolve(isWoken);
        };
        const left = () => end(true);
        const timer = setTimeout(() => end(false), waitMs);
        wake = () => end(true);
        quit.addEventListener("abort", left);
        if (quit.aborted) left();
      }),
  };
}

/** All clients get the same text, which is made once. */
function eventTexts(): (news: News) => string {
  const made = new WeakMap<object, string>();
  return (news) => {
    if ("problem" in news) return eventText("problem", news.problem);
    const [name, data] = "view" in news ? ["view", news.view] : ["change", news.change];
    const text = made.get(data) ?? eventText(name, data);
    made.set(data, text);
    return text;
  };
}

/** JSON contains no line breaks, so an event is one line of data. */
const eventText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
