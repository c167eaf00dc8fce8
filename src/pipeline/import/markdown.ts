import { checklistIn } from "./checklist.ts";
import { draftOf, type Imported } from "./draft.ts";
import { type MarkdownLine, markdownLines, tick } from "./markdown-lines.ts";
import type { Outlined } from "./outline.ts";
import { refused } from "./refusal.ts";
import { storiesIn } from "./stories.ts";

/** Headings that are tasks make a text a PRD, in which boxes say what has to hold; else the boxes are the tasks. */
function tasksIn(lines: readonly MarkdownLine[]): Outlined[] {
  const stories = storiesIn(lines);
  return stories.length > 0 ? stories : checklistIn(lines);
}

/** What finds a task of a text again. */
const storyOf = ({ id, title }: Outlined): string => id ?? title;

/** Reads a checklist or a PRD in Markdown. What is ticked is left out. */
export function importMarkdown(text: string, path: string): Imported {
  const lines = markdownLines(text);
  const found = tasksIn(lines);
  if (found.length === 0) throw refused(path, [{ line: 1, column: 1, text: NOTHING }]);
  return {
    format: "markdown",
    drafts: found
      .filter(({ isDone }) => !isDone)
      .map(({ description, index, ...task }) =>
        draftOf({ ...task, description: description.join("\n"), place: () => ({ line: index + 1, column: 1 }) }),
      ),
    tasks: [],
    done: found.filter(({ isDone }) => isDone).map(storyOf),
    project: lines.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? "",
    strictDependencies: true,
  };
}

const NOTHING =
  "no tasks found: expected a checklist (`- [ ] TASK-001: what to do`), or headings (`### US-001: what to do`) with acceptance criteria below";

/** The same text with a task's boxes ticked; null where it has no such task. */
export function markChecked(text: string, story: string): string | null {
  const found = tasksIn(markdownLines(text)).filter((task) => storyOf(task) === story);
  return found.length === 0 ? null : tick(text, new Set(found.flatMap(({ boxes }) => boxes)));
}
