import type { MarkdownLine } from "./markdown-lines.ts";
import { idsIn, labelled, namedBy } from "./markdown-words.ts";
import { type Outlined, outlined } from "./outline.ts";

interface Open {
  task: Outlined;
  indent: number;
  /** How far its last criterion is indented. */
  criterion: number | null;
  /** Whether an empty line has come since. */
  apart: boolean;
}

/** The outermost boxes of a checklist are tasks; whatever is listed below one of them says what has to hold. */
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
    // A box with nothing but an id beside it is called by that.
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

/** Takes up what is said about the task and is no criterion. */
function field(task: Outlined, text: string): boolean {
  const told = labelled(text, "item");
  if (told === null) return false;
  if (told.label === "priority") task.priority = told.rest;
  else if (told.label === "dependsOn") task.dependsOn.push(...idsIn(told.rest));
  else if (told.label === "assignee") task.assignee = told.rest;
  else if (told.label === "description") task.description.push(told.rest);
  // The heading of the list of criteria itself.
  else return told.label === "criteria" && told.rest === "";
  return true;
}
