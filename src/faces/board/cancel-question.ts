import { loopActions, taskActions } from "../../core/view/actions.ts";
import { agentRows } from "../../core/view/agent-rows.ts";
import type { BoardView } from "../../core/view/board.ts";
import { progressOf } from "../../core/view/card.ts";
import type { Work } from "./action.ts";
import type { BoardState, Choice } from "./state.ts";
import { NO_WORK, type Subject, subjectAt } from "./subject.ts";

/** Asks what to cancel: the task or loop, its execution, or everything that runs. */
export function cancelQuestion(state: BoardState): BoardState {
  const subject = subjectAt(state);
  const own = subject ? ownChoices(state, subject) : [];
  const choices = [...own, ...allChoice(state)];
  if (choices.length === 0) {
    const text = subject ? `Neither ${subject.id} nor anything else is running.` : NO_WORK.text;
    return { ...state, message: { text, tone: "warn" } };
  }
  // `y` alone must not stop more than what the cursor is on.
  const sure = choices.length === 1 && own.length === 1;
  const title = own.length === 0 && subject ? `${subject.id} is not running. Cancel something else?` : "Cancel what?";
  return { ...state, question: { title: sure ? "Cancel?" : title, choices, sure } };
}

function ownChoices(state: BoardState, subject: Subject): Choice[] {
  if (subject.of === "loop") {
    const { loop, id } = subject;
    if (!loop || !loopActions(loop).includes("cancel")) return [];
    if (loop.part) return taskChoices(state, loop.part.task);
    // Otherwise the run would stay open without a driver.
    const work = loop.run ? ({ kind: "run", id: loop.run.run } as const) : ({ kind: "loop", id } as const);
    const iteration = `iteration ${progressOf(loop)}`;
    const label = loop.run
      ? `cancel run ${work.id}: ends loop ${id} (${loop.run.part}, ${iteration})`
      : `cancel loop ${id}: ${loop.driven ? "stops its agent" : "nothing works on it"} (${iteration}): ${loop.title}`;
    return [{ key: "l", label, action: { do: "cancel", works: [work] } }];
  }
  return taskChoices(state, subject.id);
}

function taskChoices({ view }: BoardState, id: string): Choice[] {
  const card = view.cards.find((one) => one.id === id);
  const actions = card ? taskActions(card) : [];
  if (!card || !(actions.includes("cancel") || actions.includes("drop"))) return [];
  const execution = view.executions.find(({ slots }) => slots.some((slot) => slot?.task === id));
  const choices: Choice[] = [];
  if (actions.includes("cancel")) {
    const agent = [card.place, card.agent, `iteration ${progressOf(card)}`].filter(Boolean).join(", ");
    const stops = card.driven ? `stops its agent (${agent})` : "nothing works on it";
    const label = `cancel the work on ${id}: ${stops}; it is held in Todo`;
    choices.push({ key: "t", label, action: { do: "cancel", works: [{ kind: "task", id }] } });
  } else {
    const label = `cancel task ${id}: it is not run; \`r\` brings it back`;
    choices.push({ key: "t", label, action: { do: "status", task: id, status: "cancelled" } });
  }
  if (execution) {
    const label = `cancel execution ${execution.id}: stops ${tasksOf(view, execution.id)}; the next \`ralph execute\` continues`;
    choices.push({ key: "e", label, action: { do: "cancel", works: [{ kind: "execution", id: execution.id }] } });
  }
  return choices;
}

/** Everything that runs, as `ralph cancel --all`. */
function allChoice({ view }: BoardState): Choice[] {
  const loops = agentRows(view).flatMap((entry) => (entry.is === "loop" && entry.loop.driven ? [entry.loop] : []));
  const runs = [...new Set(loops.flatMap(({ run }) => (run ? [run.run] : [])))];
  const slots = new Set(view.executions.flatMap(({ slots: all }) => all.flatMap((slot) => slot?.task ?? [])));
  const tasks = view.cards.filter(({ driven, id }) => driven && !slots.has(id));
  const works: Work[] = [
    ...view.executions.map(({ id }) => ({ kind: "execution", id }) as const),
    ...tasks.map(({ id }) => ({ kind: "task", id }) as const),
    ...runs.map((id) => ({ kind: "run", id }) as const),
    ...loops.filter(({ run }) => !run).map(({ id }) => ({ kind: "loop", id }) as const),
  ];
  if (works.length === 0) return [];
  const names = works.map(({ kind, id }) => `${kind} ${id}${kind === "execution" ? ` (${tasksOf(view, id)})` : ""}`);
  const label = `cancel everything that is running in this repository: ${names.join(", ")}`;
  return [{ key: "a", label, action: { do: "cancel", works } }];
}

function tasksOf({ executions }: BoardView, id: string): string {
  const tasks = executions.find((one) => one.id === id)?.slots.flatMap((slot) => slot?.task ?? []) ?? [];
  return tasks.join(", ") || "no task yet";
}
