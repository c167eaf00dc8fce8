import { EXIT, RalphError } from "../../core/errors.ts";
import type { RunStatus } from "../../core/workflow/state.ts";

export const unknownRun = (id: string): RalphError =>
  id === "last"
    ? new RalphError("run-unknown", "no workflow has run here yet", {
        hint: 'start one: ralph workflow run <name> "<message>"; `ralph workflow list` names them',
      })
    : new RalphError("run-unknown", `there is no run ${id.slice(0, 80)} of a workflow here`, {
        hint: "`ralph workflow runs` shows them",
      });

export const ambiguousRun = (wanted: string, ids: readonly string[]): RalphError =>
  new RalphError("run-ambiguous", `${wanted} could be ${ids.join(", ")}`, { hint: "give more of the id" });

export const takenRun = (id: string): RalphError =>
  new RalphError("run-exists", `there is a run ${id} already`, { hint: "`ralph workflow runs` shows them" });

export const fencedRun = (id: string): RalphError =>
  new RalphError("fenced", `run ${id} has moved on under another driver`, {
    hint: `see \`ralph status ${id}\``,
    exitCode: EXIT.stopped,
  });

export const endedRun = (id: string, status: RunStatus): RalphError =>
  new RalphError("run-ended", `run ${id} has ended: it is ${status}`, {
    hint: `\`ralph status ${id}\` says how; \`ralph workflow run\` starts another`,
    exitCode: EXIT.stopped,
  });
