import { lanesOf, type Part, type Workflow } from "../../../core/workflow/workflow.ts";

const MESSAGE = /\$\{?(USER_MESSAGE|ARGUMENTS)\b/;

/** The first part that has no meaning without what the user says, and the name by which it asks for that; null: none. */
export function partOfMessage({ parts }: Workflow): { part: string; variable: string } | null {
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
