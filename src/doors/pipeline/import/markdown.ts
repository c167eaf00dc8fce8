import { draftOf, type Imported, importRefused } from "./draft.ts";
import { type MarkdownLine, markdownLines, tick } from "./markdown-lines.ts";
import { idsIn, labelled, namedBy } from "./markdown-words.ts";
import { storyNames } from "./names.ts";
import { type Outlined, outlined, storiesIn } from "./stories.ts";

/** If headings are tasks, the text is a PRD and boxes are criteria; otherwise the boxes are the tasks. */
function tasksIn(lines: readonly MarkdownLine[]): Outlined[] {
  const stories = storiesIn(lines);
  return stories.length > 0 ? stories : checklistIn(lines);
}

/** Reads a checklist or a PRD in Markdown. Ticked tasks are skipped. */
export function importMarkdown(text: string, path: string): Imported {
  const lines = markdownLines(text);
  const found = tasksIn(lines);
  if (found.length === 0) throw importRefused(path, [{ line: 1, column: 1, text: NOTHING }]);
  const names = storyNames(found);
  const known = found.map(({ description, index, isDone, ...task }, i) => {
    const outcome = task.outcome || task.title;
    const given = { ...task, outcome, story: names[i] ?? "", description: description.join("\n") };
    return { isDone, draft: draftOf({ ...given, place: () => ({ line: index + 1, column: 1 }) }) };
  });
  return {
    format: "markdown",
    drafts: known.filter(({ isDone }) => !isDone).map(({ draft }) => draft),
    done: known.filter(({ isDone }) => isDone).map(({ draft }) => draft.story),
    project: lines.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? "",
  };
}

const NOTHING =
  "no tasks found: expected a checklist (`- [ ] TASK-001: what to do`), or headings (`### US-001: what to do`) with acceptance criteria below";

/** The text with a task's boxes ticked; null if it has no such task. */
export function markChecked(text: string, story: string): string | null {
  const found = tasksIn(markdownLines(text));
  const task = found[storyNames(found).indexOf(story)];
  return task === undefined ? null : tick(text, new Set(task.boxes));
}

interface Open {
  task: Outlined;
  indent: number;
  criterion: number | null;
  apart: boolean;
}

/** The outermost boxes of a checklist are tasks; the items below one of them are its criteria. */
function checklistIn(lines: readonly MarkdownLine[]): Outlined[] {
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
