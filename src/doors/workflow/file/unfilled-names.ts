import { closest } from "../../../core/edit-distance.ts";
import { VARIABLES } from "../../../core/workflow/variables.ts";
import { lanesOf, type Workflow } from "../../../core/workflow/workflow.ts";

const NAME = /\$(?:([A-Za-z][\w-]*)\.output|([A-Z][A-Z_]{3,}))\b/g;

/** Names in prompts that look like variables but are not replaced. */
export function unfilledNames({ file, parts }: Pick<Workflow, "file" | "parts">): string[] {
  const before: string[] = [];
  return parts.flatMap((part) => {
    const lanes = lanesOf(part);
    const notes = lanes.flatMap((lane) => {
      const text = lane.kind === "bash" ? "" : lane.prompt.text;
      const words = [...text.matchAll(NAME)].flatMap(([name, output, variable]) =>
        output === undefined ? misspelt(variable ?? "") : missing(name, output, before),
      );
      return [...new Set(words)].map((word) => `${file}: "${lane.name}": ${word}`);
    });
    before.push(...lanes.map(({ name }) => name));
    return notes;
  });
}

function missing(name: string, part: string, before: readonly string[]): string[] {
  if (before.includes(part)) return [];
  const near = closest(part, before);
  return [`${name} is not replaced: no part before it is called ${part}${near ? `; did you mean ${near}?` : ""}`];
}

function misspelt(name: string): string[] {
  const near = closest(name, VARIABLES);
  const isKnown = VARIABLES.some((known) => known === name);
  return isKnown || near === null ? [] : [`$${name} is not replaced; did you mean $${near}?`];
}
