import { taskActions } from "../../core/view/actions.ts";
import { agentRows } from "../../core/view/agent-rows.ts";
import type { Card } from "../../core/view/card.ts";
import type { LoopLine } from "../../core/view/loop-line.ts";
import type { Action } from "./action.ts";
import { type BoardState, cardAt } from "./state.ts";

/** What the keys act on: the task or loop of the page on top, or what the cursor is on. */
export type Subject = { of: "task"; id: string; card: Card | null } | { of: "loop"; id: string; loop: LoopLine | null };

export const NO_WORK = { text: "There is nothing here to act on.", tone: "warn" } as const;

export function subjectAt(state: BoardState): Subject | null {
  const page = state.pages.findLast((one) => one.is !== "help");
  if (page) return page.is === "text" ? subjectOf(state, page.of, page.id) : subjectOf(state, page.is, page.id);
  if (state.zone === "agents") {
    const entry = agentRows(state.view)[state.entry];
    if (!entry) return null;
    if (entry.is === "loop") return { of: "loop", id: entry.loop.id, loop: entry.loop };
    return entry.card && { of: "task", id: entry.card.id, card: entry.card };
  }
  const card = cardAt(state);
  return card && { of: "task", id: card.id, card };
}

function subjectOf({ view }: BoardState, of: "task" | "loop", id: string): Subject {
  if (of === "task") return { of, id, card: view.cards.find((card) => card.id === id) ?? null };
  return { of, id, loop: view.loops.find((loop) => loop.id === id) ?? null };
}

/** Sets a task back to Todo, if that changes anything. */
export function retried(state: BoardState): { state: BoardState; action: Action | null } {
  const subject = subjectAt(state);
  const say = (text: string) => ({ state: { ...state, message: { text, tone: "warn" as const } }, action: null });
  if (!subject) return { state: { ...state, message: NO_WORK }, action: null };
  // Its driver would end with the board.
  if (subject.of === "loop") return say(resumeWords(subject.id, subject.loop));
  const { id, card } = subject;
  if (!card || taskActions(card).includes("retry"))
    return { state, action: { do: "status", task: id, status: "todo" } };
  return say(NOT_RETRIED[card.status]?.(id) ?? `${id} is being worked on.`);
}

/** Why a task is not retried. */
const NOT_RETRIED: Partial<Record<Card["status"], (id: string) => string>> = {
  todo: (id) => `${id} is in Todo already: \`ralph execute\` runs it.`,
  done: (id) => `${id} is done: \`ralph task followup <new-id> ${id} "<title>"\` creates a follow-up.`,
  proposed: (id) => `${id} was proposed by an agent: \`ralph task accept ${id}\` shows its commands and accepts it.`,
};

function resumeWords(id: string, loop: LoopLine | null): string {
  if (loop?.driven) return `Loop ${id} is running.`;
  if (loop?.part) return `\`ralph execute --task ${loop.part.task}\` continues loop ${id}.`;
  return loop?.run ? `\`ralph workflow resume ${loop.run.run}\` continues it.` : `\`ralph resume ${id}\` continues it.`;
}
