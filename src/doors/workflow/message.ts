import { RalphError } from "../../core/errors.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import { partOfMessage } from "./file/needs.ts";

/** Refuses to run a workflow on nothing when its texts ask what the user wants. */
export function requireMessage(workflow: Workflow, message: string): void {
  const needs = message.trim() === "" ? partOfMessage(workflow) : null;
  if (!needs) return;
  const { part, variable } = needs;
  throw new RalphError(
    "message-missing",
    `${workflow.name} needs a message: its part "${part}" asks for $${variable}`,
    {
      hint: `ralph workflow run ${workflow.name} "what you want", or \`-\` to read it from standard input`,
    },
  );
}

/** What to say where a message is given and no prompt or command of the workflow asks for it. */
export function unheardMessage(workflow: Workflow, message: string): string | null {
  if (message.trim() === "" || partOfMessage(workflow)) return null;
  return `no prompt of ${workflow.name} asks for $USER_MESSAGE: no agent is told your message`;
}
