import { checklistIn } from "./checklist.ts";
import { draftOf, type Imported } from "./draft.ts";
import { type MarkdownLine, markdownLines, tick } from "./markdown-lines.ts";
import { storyNames } from "./names.ts";
import type { Outlined } from "./outline.ts";
import { importRefused } from "./refusal.ts";
import { storiesIn } from "./stories.ts";

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
