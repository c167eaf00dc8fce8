import type { MarkdownLine } from "./markdown-lines.ts";
import { idsIn, isTicked, type Labelled, labelled, type Named, storyHeading, unmarked } from "./markdown-words.ts";

interface Section {
  story: Outlined;
  level: number;
  /** What the following lists belong to. */
  part: "start" | "criteria" | "dependsOn" | "other";
  /** All boxes: the criteria if there is no list of criteria. */
  boxed: MarkdownLine[];
  named: MarkdownLine[];
  hasStories: boolean;
}

/** The headings of a text that are tasks, with their content. */
export function storiesIn(lines: readonly MarkdownLine[]): Outlined[] {
  const open: Section[] = [];
  const all: Section[] = [];
  for (const line of lines) {
    const begun = line.kind === "heading" ? begin(open, line) : null;
    if (begun !== null) all.push(begun);
    else take(open.at(-1), line);
  }
  return all.map(close).filter((story) => story !== null);
}

/** A heading ends open sections of its level and below. Null if it does not start a task. */
function begin(open: Section[], line: MarkdownLine): Section | null {
  while ((open.at(-1)?.level ?? 0) >= line.level) open.pop();
  const named = storyHeading(line.text);
  if (named === null) return null;
  for (const above of open) above.hasStories = true;
  const section = sectionOf(named, line);
  open.push(section);
  return section;
}

const sectionOf = ({ id, title }: Named, line: MarkdownLine): Section => ({
  story: outlined(id, title, line),
  level: line.level,
  part: "start",
  boxed: [],
  named: [],
  hasStories: false,
});

function take(section: Section | undefined, line: MarkdownLine): void {
  if (section === undefined || line.kind === "blank") return;
  const isCriterion = section.part === "criteria" && (line.kind === "item" || line.indent > 1);
  const found = isCriterion || line.box !== null ? null : labelled(line.text, line.kind);
  if (line.box !== null) section.boxed.push(line);
  if (isCriterion) section.named.push(line);
  else if (found?.label === "other" || (found === null && line.kind === "heading")) aside(section, line);
  else if (found !== null) label(section, found);
  else if (section.part === "dependsOn" && line.kind === "item") section.story.dependsOn.push(...idsIn(line.text));
  else other(section, line);
}

function aside(section: Section, { text }: MarkdownLine): void {
  section.part = "other";
  section.story.description.push(text);
}

const DONE = /^(?:(?:✅|☑️?|✔️?|\[[xX]\])\s*)?(?:done|completed?|passed|✅|\[[xX]\])\W*$/iu;

function label(section: Section, { label: name, rest }: Labelled): void {
  const { story } = section;
  section.part = name === "criteria" || name === "dependsOn" ? name : "start";
  if (name === "priority") story.priority = rest;
  else if (name === "dependsOn") story.dependsOn.push(...idsIn(rest));
  else if (name === "assignee") story.assignee = rest;
  else if (name === "status") story.isDone ||= DONE.test(rest);
  else if (rest !== "") (name === "criteria" ? story.criteria : story.description).push(rest);
  if (name === "description") story.outcome ||= rest;
}

function other(section: Section, line: MarkdownLine): void {
  if (section.part === "start" && line.kind === "text") section.story.outcome ||= line.text;
  if (section.part === "criteria") section.part = "start";
  if (line.box === null) section.story.description.push(line.kind === "item" ? `- ${line.text}` : line.text);
}

/** Null for a heading above other tasks without its own criteria. */
function close({ story, boxed, named, hasStories }: Section): Outlined | null {
  const lines = named.length > 0 || story.criteria.length > 0 ? named : boxed;
  for (const { kind, text } of lines) {
    const last = story.criteria.length - 1;
    if (kind === "item" || last < 0) story.criteria.push(text);
    else story.criteria[last] = `${story.criteria[last]}\n${text}`;
  }
  const boxes = lines.filter(({ box }) => box !== null);
  story.boxes.push(...boxes.map(({ index }) => index));
  story.isDone ||= boxes.length > 0 && boxes.every(({ box }) => box === "checked");
  story.title ||= unmarked(story.description[0] ?? story.id ?? "");
  return hasStories && story.criteria.length === 0 ? null : story;
}

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
