import { type Fault, faultsOf } from "../../../core/schema/faults.ts";
import { locate, placesIn } from "../../../core/schema/json-places.ts";
import { syntaxComplaint } from "../../../core/schema/json-syntax.ts";
import { readStories } from "../../../core/schema/story.ts";
import { draftOf, type Imported, importRefused, MOST_PLACED, plainLine } from "./draft.ts";
import { storyNames } from "./names.ts";

/** The keys under which tools store stories, most common first. */
const LISTS = ["userStories", "user_stories", "stories", "features"] as const;

/** The key of a document's stories; null if the document is the list, undefined if it has none. */
export function storyKey(value: unknown): string | null | undefined {
  if (Array.isArray(value)) return null;
  return typeof value === "object" && value !== null ? LISTS.find((key) => key in value) : undefined;
}

/** Reads a prd.json: stories, each with `passes`. Stories that pass are skipped. */
export function importPrd(text: string, path: string): Imported {
  const value = parseJsonText(text, path);
  const key = storyKey(value);
  if (key === undefined) throw importRefused(path, [{ line: 1, column: 1, text: NO_LIST }]);
  const { data, error } = readStories(value, key);
  if (!data) throw faulty(text, path, faultsOf(error));
  const place = placesIn(text);
  const names = storyNames(data);
  const known = data.map(({ notes, isDone, ...story }, index) => {
    const description = [story.description, notes].filter(Boolean).join("\n\n");
    const given = {
      ...story,
      description,
      outcome: story.description || plainLine(story.title),
      story: names[index] ?? "",
    };
    return { isDone, draft: draftOf({ ...given, place: () => place(key === null ? [index] : [key, index]) }) };
  });
  return {
    format: "prd",
    drafts: known.filter(({ isDone }) => !isDone).map(({ draft }) => draft),
    done: known.filter(({ isDone }) => isDone).map(({ draft }) => draft.story),
    project: projectOf(value),
  };
}

const NO_LIST = 'expected a list of stories, or a map with one under "userStories", "stories" or "features"';

function projectOf(value: unknown): string {
  const named = Object.entries(typeof value === "object" && value !== null ? value : {});
  const found = ["project", "name", "feature", "title"].map((key) => named.find(([name]) => name === key)?.[1]);
  return found.find((name) => typeof name === "string") ?? "";
}

/** Parses a JSON text. Throws a RalphError with the position of a syntax error. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw importRefused(path, [syntaxComplaint(text) ?? { line: 1, column: 1, text: String(cause) }]);
  }
}

export const faulty = (text: string, path: string, faults: readonly Fault[]): Error =>
  importRefused(path, locate(text, faults.slice(0, MOST_PLACED)), { all: faults.length });
