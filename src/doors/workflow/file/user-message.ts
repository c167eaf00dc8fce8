import { RalphError } from "../../../core/errors.ts";
import { lanesOf, type Part, type Workflow } from "../../../core/workflow/workflow.ts";

/** Refuses to run a workflow on nothing when its texts ask what the user wants. */
export function requireMessage(workflow: Workflow, message: string): void {
  const needs = message.trim() === "" ? partNeedingMessage(workflow) : null;
  if (!needs) return;
  const { part, variable } = needs;
  const what = `${workflow.name} needs a message: its part "${part}" asks for $${variable}`;
  const hint = `ralph workflow run ${workflow.name} "what you want", or \`-\` to read it from standard input`;
  throw new RalphError("message-missing", what, { hint });
}

/** A warning where a message is given that no prompt or command of the workflow uses. */
export function unusedMessage(workflow: Workflow, message: string): string | null {
  if (message.trim() === "" || partNeedingMessage(workflow)) return null;
  return `no prompt of ${workflow.name} contains $USER_MESSAGE: no agent will see your message`;
}

const MESSAGE = /\$\{?(USER_MESSAGE|ARGUMENTS)\b/;

/** The first part that uses the user's message, and the variable by which it does; null: none. */
export function partNeedingMessage({ parts }: Workflow): { part: string; variable: string } | null {
  for (const part of parts.flatMap(lanesOf)) {
    const variable = textsOf(part)
      .map((text) => MESSAGE.exec(text)?.[1])
      .find((name) => name !== undefined);
    if (variable) return { part: part.name, variable };
  }
  return null;
}

function textsOf(part: Exclude<Part, { kind: "parallel" }>): string[] {
  if (part.kind === "bash") return [part.command];
  return part.kind === "step" ? [part.prompt.text] : [part.prompt.text, part.untilBash ?? ""];
}
