import type { MarkdownLine } from "./markdown-lines.ts";
import { isTicked } from "./markdown-words.ts";

/** A task in a Markdown text. */
export interface Outlined {
  id: string | null;
  title: string;
  /** The expected result, if it says more than the title. */
  outcome: string;
  /** Its first line, from 0. */
  index: number;
  description: string[];
  criteria: string[];
  priority: string;
  dependsOn: string[];
  assignee: string;
  isDone: boolean;
  /** The lines of the boxes to tick when it is done. */
  boxes: number[];
}

export const outlined = (id: string | null, title: string, line: MarkdownLine): Outlined => ({
  id,
  title,
  outcome: "",
  index: line.index,
  description: [],
  criteria: [],
  priority: "",
  dependsOn: [],
  assignee: "",
  isDone: line.box === "checked" || (line.kind === "heading" && isTicked(line.text)),
  boxes: line.box === null ? [] : [line.index],
});
