import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { TaskPage } from "../../core/view/task-page.ts";
import { get, post } from "./api.ts";
import { Confirm, type ConfirmKind } from "./parts/dialog.tsx";
import { TaskCommands } from "./parts/task-commands.tsx";
import { reported, reportFailure } from "./parts/toast.tsx";

interface Question {
  title: string;
  text: ComponentChildren;
  action: string;
  kind: ConfirmKind;
  onConfirm(): unknown;
}

const question = signal<Question | null>(null);

/** The question that waits for an answer; once on a page, in the frame. */
export function Questions() {
  const asked = question.value;
  if (!asked) return null;
  const { text, ...rest } = asked;
  return (
    <Confirm {...rest} onClose={close}>
      {text}
    </Confirm>
  );
}

function close(): void {
  question.value = null;
}

const encoded = encodeURIComponent;

export function cancelTask(id: string): void {
  question.value = {
    title: `Cancel the work on ${id}?`,
    text: <p>The agent is stopped. The task goes back to Todo and is held until it is retried; its branch is kept.</p>,
    action: "Cancel the work",
    kind: "danger",
    onConfirm: async () =>
      reported(await post(`/api/tasks/${encoded(id)}/cancel`), `The work on ${id} is being cancelled.`),
  };
}

export async function retryTask(id: string): Promise<void> {
  reported(await post(`/api/tasks/${encoded(id)}/retry`), `${id} is ready to be started again.`);
}

/** Shows what a proposed task would run, and accepts it as it was shown: one that was changed meanwhile is refused. */
export async function acceptTask(id: string): Promise<void> {
  const page = await get<TaskPage>(`/api/view/tasks/${encoded(id)}`);
  if (!page.ok) return reportFailure(page);
  const { card, commands } = page.value;
  question.value = {
    title: `Accept ${id}?`,
    text: (
      <>
        <p>{card.title}</p>
        <TaskCommands commands={commands} />
      </>
    ),
    action: "Accept the task",
    kind: "primary",
    onConfirm: async () =>
      reported(await post(`/api/tasks/${encoded(id)}/accept?seen=${card.updatedMs}`), `${id} was accepted.`),
  };
}

export function cancelLoop(id: string): void {
  question.value = {
    title: `Cancel loop ${id}?`,
    text: <p>The agent is stopped and the loop is cancelled.</p>,
    action: "Cancel the loop",
    kind: "danger",
    onConfirm: async () => reported(await post(`/api/loops/${encoded(id)}/cancel`), `Loop ${id} is being cancelled.`),
  };
}

export async function resumeLoop(id: string): Promise<void> {
  reported(await post(`/api/loops/${encoded(id)}/resume`), `Loop ${id} is being resumed.`);
}

export function cancelRun(id: string): void {
  question.value = {
    title: `Cancel run ${id}?`,
    text: <p>Running steps are stopped and the run is cancelled.</p>,
    action: "Cancel the run",
    kind: "danger",
    onConfirm: async () => reported(await post(`/api/runs/${encoded(id)}/cancel`), `Run ${id} is being cancelled.`),
  };
}

export async function resumeRun(id: string): Promise<void> {
  reported(await post(`/api/runs/${encoded(id)}/resume`), `Run ${id} is being resumed.`);
}

export function cancelExecution(id: string): void {
  question.value = {
    title: "Stop this execution?",
    text: <p>No more tasks are started and running agents are stopped. The next execution resumes unfinished tasks.</p>,
    action: "Stop the execution",
    kind: "danger",
    onConfirm: async () =>
      reported(await post(`/api/executions/${encoded(id)}/cancel`), "The execution is being stopped."),
  };
}
