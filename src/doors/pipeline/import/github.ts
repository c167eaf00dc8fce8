import { faultsOf } from "../../../core/schema/faults.ts";
import { type GithubIssue, readIssues } from "../../../core/schema/github-issue.ts";
import { placesIn } from "../../../core/schema/json-places.ts";
import { draftOf, type Imported, priorityOf, type TaskDraft } from "./draft.ts";
import { markdownLines } from "./markdown-lines.ts";
import { type Labelled, labelled } from "./markdown-words.ts";
import { faulty, parseJsonText } from "./prd.ts";

/** Reads the output of `gh issue list --json number,title,body,labels,assignees,state`. Closed issues are skipped. */
export function importGithub(text: string, path: string): Imported {
  const value = parseJsonText(text, path);
  const { data, error } = readIssues(value);
  if (!data) throw faulty(text, path, faultsOf(error));
  const place = placesIn(text);
  const known = data.map((issue, index) => ({
    isDone: /^closed$/i.test(issue.state?.trim() ?? ""),
    draft: draftFrom(issue, () => place(Array.isArray(value) ? [index] : [])),
  }));
  return {
    format: "github",
    drafts: known.filter(({ isDone }) => !isDone).map(({ draft }) => draft),
    done: known.filter(({ isDone }) => isDone).map(({ draft }) => draft.story),
    project: "",
  };
}

const idOf = (number: number | string): string => `GH-${number}`;

function draftFrom(issue: GithubIssue, place: TaskDraft["place"]): TaskDraft {
  const body = issue.body ?? "";
  return draftOf({
    id: idOf(issue.number),
    story: idOf(issue.number),
    title: issue.title,
    description: body,
    outcome: issue.title,
    criteria: criteriaIn(body),
    priority: String(priorityIn(issue.labels) ?? ""),
    dependsOn: numbersAfter(body).map(idOf),
    assignee: issue.assignees[0] ?? "",
    url: issue.url ?? null,
    place,
  });
}

/** The list below "Acceptance criteria", or every box if there is none. */
function criteriaIn(body: string): string[] {
  const lines = markdownLines(body);
  const named: string[] = [];
  let inside = false;
  for (const { kind, box, text } of lines) {
    const found: Labelled | null =
      kind === "blank" || box !== null || (inside && kind === "item") ? null : labelled(text, kind);
    if (found !== null) inside = found.label === "criteria";
    else if (inside && kind === "item") named.push(text);
    else if (kind === "text" && named.length > 0) inside = false;
  }
  return named.length > 0 ? named : lines.filter(({ box }) => box !== null).map(({ text }) => text);
}

/** The most urgent priority in the labels: `P1`, `priority:1`, `priority/high`, `high priority`, `high`. */
function priorityIn(labels: readonly string[]): number | null {
  const found = labels.flatMap((label) => {
    const name = label.trim();
    const said = /^prio(?:rity)?[\s:/_-]*(.+)$/i.exec(name)?.[1] ?? /^(\w+)[\s_-]+prio(?:rity)?$/i.exec(name)?.[1];
    return priorityOf(said ?? (/^(?:p\d|[a-z]+$)/i.test(name) ? name : "")) ?? [];
  });
  return found.length === 0 ? null : Math.min(...found);
}

const WAITS = /\b(?:depends[ -]on|blocked[ -]by)\b[ \t*_]*:?/gi;
const LONGEST_LIST = 1_000;

/** The issue numbers after "depends on" and "blocked by", in a line or a list. */
function numbersAfter(body: string): string[] {
  const found = [...body.matchAll(WAITS)].flatMap(({ index, 0: words }) => {
    const after = body.slice(index + words.length, index + words.length + LONGEST_LIST);
    const list = /^(?:[\s,&*_-]|and\b|#\d{1,10}\b)*/.exec(after)?.[0] ?? "";
    return [...list.matchAll(/#(\d{1,10})/g)].map(([, number = ""]) => number);
  });
  return [...new Set(found)];
}
