import type { Toast } from "../../core/host.ts";
import { iterationsDone, type LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { reasonWords } from "../../core/loop/words.ts";
import { isLevel } from "../../core/proof/level.ts";

const most = ({ limits }: LoopState): string => String(limits.maxIterations ?? "∞");

export const startedToast = (state: LoopState): Toast => ({
  title: "Ralph Loop Started",
  message: `Max ${most(state)} iterations. Complete with <promise>${state.spec?.claim.promise ?? ""}</promise>`,
  variant: "info",
  duration: 3000,
});

export const iterationToast = (state: LoopState): Toast => ({
  title: "Ralph Loop",
  message: `Iteration ${state.n}/${most(state)}`,
  variant: "info",
  duration: 2000,
});

/** The host allows one more turn without a tool call. */
export const lastTimeToast = (why: string): Toast => ({
  title: "Ralph Loop",
  message: `This is the last time for now: ${why}`,
  variant: "warning",
  duration: 5000,
});

export const NO_LOOP_TOAST: Toast = {
  title: "No Active Loop",
  message: "No Ralph Loop is currently running",
  variant: "info",
};

export const refusedToast = (reason: string): Toast => ({
  title: "Ralph Loop Not Started",
  message: reason,
  variant: "error",
  duration: 5000,
});

export const cancelledToast = ({ n }: LoopState): Toast => ({
  title: "Ralph Loop Cancelled",
  message: `Stopped at iteration ${Math.max(1, n)}`,
  variant: "info",
  duration: 2000,
});

export function stoppedToast(state: LoopState, id: string): Toast {
  const { reason, detail } = state.stopped ?? { reason: "interrupted", detail: "" };
  if (isLevel(reason)) {
    const weak = state.turn?.verdict?.weak ?? [];
    const proof = [reason, ...weak].join("; ");
    const message = `Task completed after ${iterationsDone(state)} iteration(s) (${proof})`;
    return { title: "Ralph Loop Complete!", message, variant: "success", duration: 5000 };
  }
  if (reason === "cancelled") return cancelledToast(state);
  const message =
    reason === "iteration-limit"
      ? `Max iterations (${most(state)}) reached without completion`
      : `${reason}: ${detail || reasonWords(reason, id).means}`;
  return { title: "Ralph Loop Stopped", message, variant: "warning", duration: 5000 };
}

export const takenToast = ({
  id,
  iteration,
  maxIterations,
}: Pick<LoopSummary, "id" | "iteration" | "maxIterations">): Toast => ({
  title: "Ralph Loop",
  message: `Loop ${id} is already running here (iteration ${iteration}/${maxIterations ?? "∞"})`,
  variant: "warning",
  duration: 5000,
});
