import { RalphError } from "../../../core/errors.ts";
import { lanesOf, type Part, type Workflow } from "../../../core/workflow/workflow.ts";

/** Throws if the message is empty and the workflow uses it. */
export function requireMessage(workflow: Workflow, message: string): void {
  const needs = message.trim() === "" ? partNeedingMessage(workflow) : null;
  if (!needs) return;
  const { part, variable } = needs;
  const what = `${workflow.name} needs a message: its part "${part}" uses $${variable}`;
  const hint = `ralph workflow run ${workflow.name} "what you want", or \`-\` to read it from standard input`;
  throw new RalphError("message-missing", what, { hint });
}

/** A warning if no prompt or command of the workflow uses the given message. */
export function unusedMessage(workflow: Workflow, message: string): string | null {
  if (message.trim() === "" || partNeedingMessage(workflow)) return null;
  return `no prompt of ${workflow.name} contains $USER_MESSAGE: no agent will see your message`;
}

const MESSAGE = /\$\{?(USER_MESSAGE|ARGUMENTS)\b/;

/** The first part that uses the user's message, and the name of the variable; null if none does. */
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
