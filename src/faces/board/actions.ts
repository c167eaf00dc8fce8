import type { Workspace } from "../../core/workspace.ts";
import { refuseAgents } from "../../runtime/person.ts";
import type { Action, Work } from "./action.ts";

/** Does what the commands do. Returns what became of it, for the message line. */
export async function perform(workspace: Workspace, action: Action & { do: "cancel" | "status" }): Promise<string> {
  refuseAgents(workspace, action.do === "cancel" ? "ralph cancel" : "ralph task update");
  const by = `ralph board (pid ${process.pid})`;
  if (action.do === "cancel") {
    const done = await Promise.all(action.works.map((work) => cancel(workspace, work, by)));
    return done.join(" · ");
  }
  const { changeTask } = await import("../../doors/pipeline/tasks/task-change.ts");
  const { task: id, status } = action;
  await changeTask(workspace, id, { change: {}, status, by });
  return status === "todo"
    ? `${id} is in Todo again: \`ralph execute\` runs it.`
    : `${id} is cancelled: \`r\` brings it back, \`x\` shows it.`;
}

async function cancel(workspace: Workspace, { kind, id }: Work, by: string): Promise<string> {
  switch (await cancelled(workspace, { kind, id }, by)) {
    case "cancelled":
      return `Cancelled ${kind} ${id}${NEXT[kind](id)}.`;
    case "asked":
      return `${kind} ${id} was asked to stop; its agent has not exited yet.`;
    case "idle":
      return `${kind} ${id} had already stopped.`;
  }
}

/** What continues it. */
const NEXT: Readonly<Record<Work["kind"], (id: string) => string>> = {
  task: () => "; it is held in Todo: `r` releases it",
  loop: (id) => `: \`ralph resume ${id}\` continues it`,
  run: () => "",
  execution: () => ": `ralph execute` continues its tasks",
};

async function cancelled(
  workspace: Workspace,
  { kind, id }: Work,
  by: string,
): Promise<"cancelled" | "idle" | "asked"> {
  switch (kind) {
    case "task":
      return (await (await import("../../doors/pipeline/cancel-task.ts")).cancelTask(workspace, id, by)).is;
    case "loop":
      return (await (await import("../../runtime/cancel-loop.ts")).cancelLoop(workspace, id, { by })).is;
    case "run":
      return (await (await import("../../doors/workflow/cancel.ts")).cancelRun(workspace, id, by)).is;
    case "execution":
      return (await import("../../doors/pipeline/cancel-execution.ts")).cancelExecution(workspace, id, by);
  }
}
