import { EXIT } from "../../core/errors.ts";
import { taskDocument } from "../../core/task/document.ts";
import { type TaskView, viewTask } from "../../wire/task-view.ts";
import { openWorkspace } from "../../wire/workspace.ts";
import { printJson, printWords } from "../print.ts";
import { taskLines } from "../task-lines.ts";

/** `ralph task show`. */
export async function taskShowCommand(id: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const view = await viewTask(workspace, id);
    if (json) printJson(documentOf(view));
    else printWords(taskLines(view).join("\n"));
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

const documentOf = ({ task, state, dependencies, followups, history, loops }: TaskView) => ({
  ...taskDocument(task),
  waits_for: dependencies.filter(({ status }) => status !== "done").map(({ id }) => id),
  parent: parentOf(task.metadata),
  followups: followups.map(({ id }) => id),
  attempt: state.attempt,
  rounds: state.rounds,
  blocked: state.blocked,
  waits: state.waits,
  work: state.work,
  merged: state.merged,
  history: history.map(({ seq, atMs, event }) => ({ seq, at: new Date(atMs).toISOString(), ...event })),
  loops: loops.map(({ id, part, status, reason, iteration, costUsd, tokens }) => ({
    ...{ id, place: part?.place ?? null, status, reason, iteration, cost_usd: costUsd, tokens },
  })),
});

/** The task that one follows up. */
const parentOf = ({ parent }: Readonly<Record<string, unknown>>): string | null =>
  typeof parent === "string" ? parent : null;
