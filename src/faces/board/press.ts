import { agentRows } from "../../core/view/agent-rows.ts";
import { LANES } from "../../core/view/lanes.ts";
import type { Size } from "../terminal/alternate-screen.ts";
import { type Key, pastedText } from "../terminal/keys.ts";
import type { Action } from "./action.ts";
import { cardsThatFit } from "./board-rows.ts";
import { cancelQuestion } from "./cancel-question.ts";
import type { Page } from "./page.ts";
import { pressPage } from "./press-page.ts";
import { type BoardState, lanesIn, settled } from "./state.ts";
import { stepsOf } from "./steps.ts";
import { NO_WORK, retried, subjectAt } from "./subject.ts";

export interface Pressed {
  state: BoardState;
  action: Action | null;
}

/** What a key does. */
export function press(state: BoardState, key: Key, size: Size): Pressed {
  const shown = { ...state, message: null };
  if (key === "ctrl-c") return { state: shown, action: { do: "quit" } };
  if (state.question) return answer(shown, key);
  if (state.typing) return { state: typed(shown, key), action: null };
  const common = pressCommon(shown, key);
  if (common) return common;
  const page = state.pages.at(-1);
  if (page?.is === "task" && key === "enter") return openLoop(shown, page.page?.card.loop ?? null);
  if (page) return { state: pressPage(shown, page, { key, size }), action: null };
  return pressBoard(shown, key, size);
}

const only = (state: BoardState, action: Action | null = null): Pressed => ({ state, action });

/** A page on top of the others, which is read. */
export const opened = (state: BoardState, page: Page): Pressed =>
  only({ ...state, pages: [...state.pages, page] }, page.is === "help" ? null : { do: "read" });

function answer(state: BoardState, key: Key): Pressed {
  const { choices = [], sure } = state.question ?? {};
  const closed = { ...state, question: null };
  const choice = choices.find((one) => key === (sure ? "y" : one.key));
  if (!choice) return only({ ...closed, message: { text: "Nothing was cancelled.", tone: "dim" } });
  if (sure) return only(closed, choice.action);
  // Asked again, so that one key never stops an agent.
  return only({ ...state, question: { title: "Are you sure?", choices: [choice], sure: true } });
}

function typed(state: BoardState, key: Key): BoardState {
  const filtered = (filter: string) => settled({ ...state, filter });
  if (key === "escape") return settled({ ...state, filter: "", typing: false });
  if (key === "enter") return { ...state, typing: false };
  if (key === "backspace") return filtered([...state.filter].slice(0, -1).join(""));
  if (key === "ctrl-u") return filtered("");
  const text = pastedText(key) ?? ([...key].length === 1 ? key : "");
  return text === "" ? state : filtered(state.filter + text);
}

/** Keys that do the same everywhere; they act on the page on top, or on what the cursor is on. */
function pressCommon(state: BoardState, key: Key): Pressed | null {
  switch (key) {
    case "q":
      return only(state, { do: "quit" });
    case "?":
      return state.pages.at(-1)?.is === "help" ? null : opened(state, { is: "help", top: 0 });
    case "c":
      return only(cancelQuestion(state));
    case "r":
      return retried(state);
    case "t":
      return text(state, "output");
    case "w":
      return text(state, "why");
    case "d":
      return text(state, "diff");
    case "o":
      return text(state, "worktree");
    default:
      return null;
  }
}

function text(state: BoardState, kind: "output" | "why" | "diff" | "worktree"): Pressed {
  const subject = subjectAt(state);
  if (!subject) return only({ ...state, message: NO_WORK });
  const page = state.pages.at(-1);
  if (page?.is === "text" && page.kind === kind) return only(state);
  const { of, id } = subject;
  return opened(state, { is: "text", kind, of, id, lines: null, follows: kind === "output", top: 0 });
}

function pressBoard(state: BoardState, key: Key, size: Size): Pressed {
  switch (key) {
    case "escape":
      return only(settled({ ...state, filter: "", zone: "lanes" }));
    case "/":
      return only({ ...state, typing: true, zone: "lanes" });
    case "x":
      return only(settled({ ...state, cancelled: !state.cancelled }));
    case "tab":
    case "shift-tab":
      return only({ ...state, zone: state.zone === "lanes" ? "agents" : "lanes" });
    case "enter":
      return openSubject(state);
    default:
      return only(state.zone === "lanes" ? inLanes(state, key, size) : inAgents(state, key));
  }
}

function openSubject(state: BoardState): Pressed {
  const subject = subjectAt(state);
  if (!subject) return only({ ...state, message: NO_WORK });
  if (subject.of === "task") return opened(state, { is: "task", id: subject.id, page: null, top: 0 });
  return openLoop(state, subject.id);
}

function openLoop(state: BoardState, id: string | null): Pressed {
  if (id !== null) return opened(state, { is: "loop", id, page: null, item: null, top: 0 });
  return only({ ...state, message: { text: "No agent has worked on it yet.", tone: "warn" } });
}

const SIDEWAYS = new Set(["left", "h", "right", "l"]);

const within = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));

function inLanes(state: BoardState, key: Key, size: Size): BoardState {
  const steps = stepsOf(key, cardsThatFit(state, size));
  if (steps === null) return state;
  if (SIDEWAYS.has(key)) {
    const lane = LANES[within(LANES.indexOf(state.lane) + steps, LANES.length)] ?? state.lane;
    return { ...state, lane };
  }
  const cards = lanesIn(state)[state.lane];
  const index = within((state.picks[state.lane]?.index ?? 0) + steps, cards.length);
  const card = cards[index];
  return card ? { ...state, picks: { ...state.picks, [state.lane]: { id: card.id, index } } } : state;
}

function inAgents(state: BoardState, key: Key): BoardState {
  const steps = stepsOf(key, 4);
  return steps === null ? state : { ...state, entry: within(state.entry + steps, agentRows(state.view).length) };
}
