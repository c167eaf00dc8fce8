import type { MarkdownLine } from "./markdown-lines.ts";
import { idsIn, labelled, namedBy } from "./markdown-words.ts";
import { type Outlined, outlined } from "./outline.ts";

interface Open {
  task: Outlined;
  indent: number;
  /** The indentation of its last criterion. */
  criterion: number | null;
  /** Whether an empty line followed. */
  apart: boolean;
}

/** The outermost boxes of a checklist are tasks; the items below one of them are its criteria. */
export function checklistIn(lines: readonly MarkdownLine[]): Outlined[] {
  const found: Outlined[] = [];
  let open: Open | null = null;
  for (const line of lines) {
    if (open !== null && belongsTo(open, line)) {
      take(open, line);
      continue;
    }
    open = null;
    if (line.kind !== "item" || line.box === null) continue;
    const { id, title } = namedBy(line.text);
    // A box with only an id uses it as the title.
    const task = outlined(id, title || (id ?? line.text), line);
    found.push(task);
    open = { task, indent: line.indent, criterion: null, apart: false };
  }
  return found;
}

function belongsTo(open: Open, line: MarkdownLine): boolean {
  if (line.kind === "blank") return true;
  if (line.kind === "heading") return false;
  return line.indent > open.indent || (line.kind === "text" && !open.apart);
}

function take(open: Open, { kind, text, indent, box, index }: MarkdownLine): void {
  open.apart = kind === "blank";
  const { task } = open;
  if (box !== null) task.boxes.push(index);
  if (kind === "item") {
    if (field(task, text)) return;
    task.criteria.push(text);
    open.criterion = indent;
  } else if (kind === "text" && !field(task, text)) {
    const last = task.criteria.length - 1;
    const continues = open.criterion !== null && indent > open.criterion;
    if (continues) task.criteria[last] = `${task.criteria[last]}\n${text}`;
    else task.description.push(text);
  }
}

/** Reads a field of the task that is not a criterion. */
function field(task: Outlined, text: string): boolean {
  const found = labelled(text, "item");
  if (found === null) return false;
  if (found.label === "priority") task.priority = found.rest;
  else if (found.label === "dependsOn") task.dependsOn.push(...idsIn(found.rest));
  else if (found.label === "assignee") task.assignee = found.rest;
  else if (found.label === "description") task.description.push(found.rest);
  // The heading of the list of criteria itself.
  else return found.label === "criteria" && found.rest === "";
  return true;
}
