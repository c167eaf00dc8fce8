import { basename } from "node:path";
import { namingUpdate } from "../../adapters/io/updated.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { Board } from "../../runtime/view/board.ts";
import { openTerminal, type TerminalEnd } from "../terminal/alternate-screen.ts";
import type { TerminalProcess } from "../terminal/terminal-process.ts";
import type { Action } from "./action.ts";
import { frame } from "./frame.ts";
import { isUnread, readAgain } from "./page.ts";
import { press } from "./press.ts";
import { isAbout, isLive, readPage, type Texts } from "./reading.ts";
import { type BoardState, openingState, settled } from "./state.ts";

export interface BoardRequest {
  process: TerminalProcess;
  workspace: Pick<Workspace, "cwd" | "folder">;
  board: Board;
  texts: Texts;
  spec: string | null;
  /** Closes the board when it is aborted. */
  over?: AbortSignal;
  /** What Ctrl-C does; by default it quits. */
  interrupt?(): void;
}

/** How the board was left. */
export interface BoardEnd {
  why: "quit" | "over" | TerminalEnd;
  /** The worktrees that the user asked for. */
  worktrees: readonly string[];
}

/** How often clocks tick, and live pages are read again. */
const TICK_MS = 1_000;

/** Shows the board until the user quits. What runs keeps running. */
export function showBoard({
  process: own,
  workspace: { cwd, folder },
  board,
  texts,
  spec,
  over,
  interrupt,
}: BoardRequest): Promise<BoardEnd> {
  /** Opened each time: the first task may be created, and the journal be replaced, while the board is shown. */
  const opened = <T>(work: (workspace: Workspace) => Promise<T>) => inWorkspace({ cwd, stateDir: folder.root }, work);
  let state = openingState(board.view(), { repository: basename(cwd), spec, nowMs: Date.now() });
  const worktrees = new Set<string>();
  /** A page is being read; one at a time. */
  let isReading = false;
  /** A page was wanted meanwhile: what is being read may be from before that. */
  let isStale = false;

  return new Promise((resolve) => {
    const leave = (why: BoardEnd["why"]) => {
      clearInterval(ticking);
      listening.close();
      void terminal.close().then(() => resolve({ why, worktrees: [...worktrees] }));
    };
    const terminal = openTerminal({
      process: own,
      onKey(key) {
        if (key === "ctrl-c" && interrupt) return interrupt();
        const { state: next, action } = press({ ...state, nowMs: Date.now() }, key, terminal.size());
        show(next);
        if (action) act(action);
      },
      onResize: () => show(state),
      onEnd: leave,
    });
    function show(next: BoardState): void {
      state = next;
      terminal.draw(frame(state, terminal.size()));
    }
    const say = (thrown: unknown) => show({ ...state, message: { text: errorText(thrown), tone: "bad" } });
    function act(action: Action): void {
      if (action.do === "quit") leave("quit");
      else if (action.do === "read") read();
      else {
        show({ ...state, message: { text: "working…", tone: "dim" } });
        import("./actions.ts")
          .then(({ perform }) => opened((own) => perform(own, action)))
          .then((text) => show({ ...state, message: { text, tone: "good" } }))
          .catch(say);
      }
    }
    /** Reads the page on top; a failure is shown, and the next tick tries again. */
    function read(): void {
      const page = state.pages.at(-1);
      isStale = isReading;
      if (!page || isReading) return;
      isReading = true;
      opened((own) => readPage({ workspace: own, texts }, page))
        .then((found) => {
          if (found.is === "text" && found.kind === "worktree" && found.lines?.[1] === "")
            worktrees.add(found.lines[0] ?? "");
          show({ ...state, pages: state.pages.map((one) => readAgain(one, found)) });
        })
        .catch(say)
        .finally(() => {
          isReading = false;
          if (isStale) read();
        });
    }
    const listening = board.listen((change, view) => {
      show(settled({ ...state, view, nowMs: Date.now() }));
      const page = state.pages.at(-1);
      if (page && isAbout(page, change.subjects)) read();
    });
    const ticking = setInterval(() => {
      show({ ...withProblem(state, board.problem()), nowMs: Date.now() });
      const page = state.pages.at(-1);
      if (page && !isReading && (isLive(page) || isUnread(page))) read();
    }, TICK_MS);
    if (over?.aborted) leave("over");
    over?.addEventListener("abort", () => leave("over"));
    show(state);
  });
}

/** The message and the hint on one line. */
function errorText(thrown: unknown): string {
  const error = namingUpdate(thrown);
  const hint = error instanceof RalphError && error.hint ? ` (${error.hint})` : "";
  return `${messageOf(error)}${hint}`.replaceAll("\n", " ");
}

const AGAIN = "; trying again…";

/** A failed read of the view is shown until one succeeds. */
function withProblem(state: BoardState, problem: string | null): BoardState {
  if (problem !== null) return { ...state, message: { text: problem + AGAIN, tone: "bad" } };
  return state.message?.text.endsWith(AGAIN) ? { ...state, message: null } : state;
}
