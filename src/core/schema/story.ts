import * as z from "zod";
import { expected } from "./messages.ts";

// Every tool writes its own dialect of prd.json: known keys are read, all others are ignored.
const maybeText = z.string(expected("text")).nullish();
const ident = z.union([z.string(), z.number()], expected("text or a number"));
const idents = z.union([ident, z.array(ident)], expected("a list of ids")).nullish();
const maybeFlag = z.boolean(expected("true or false")).nullish();

const worded = z.looseObject({ text: maybeText, description: maybeText, criterion: maybeText });
const criterion = z
  .union([z.string(), worded], expected("text"))
  .transform((given) =>
    typeof given === "string" ? given : (given.text ?? given.description ?? given.criterion ?? ""),
  );
const criteria = z
  .union([z.string().transform((text) => [text]), z.array(criterion)], expected("a list of texts"))
  .nullish();

const story = z
  .looseObject(
    {
      id: ident.nullish(),
      title: maybeText,
      name: maybeText,
      description: maybeText,
      acceptanceCriteria: criteria,
      acceptance_criteria: criteria,
      criteria,
      steps: criteria,
      testing_steps: criteria,
      priority: ident.nullish(),
      passes: maybeFlag,
      status: maybeText,
      dependsOn: idents,
      depends_on: idents,
      dependencies: idents,
      notes: maybeText,
      assignee: maybeText,
    },
    expected("a story: a map with id, title and acceptanceCriteria"),
  )
  .refine((given) => titleOf(given) !== "", { error: "expected a story with a title" });

const titleOf = (given: { title?: Maybe; name?: Maybe; description?: Maybe }): string =>
  [given.title, given.name, given.description].map((text) => text?.trim() ?? "").find((text) => text !== "") ?? "";
type Maybe = string | null | undefined;

const asList = (given: z.infer<typeof idents>): string[] =>
  given === null || given === undefined ? [] : [given].flat().map(String);

const DONE = /^(?:done|completed?|passed|passes|passing|closed)$/i;

const known = story.transform((given): Story => {
  const description = given.description?.trim() ?? "";
  const lists = [given.acceptanceCriteria, given.acceptance_criteria, given.criteria, given.steps, given.testing_steps];
  return {
    id: given.id === null || given.id === undefined || given.id === "" ? null : String(given.id),
    title: titleOf(given),
    description,
    criteria: lists.find((list) => list && list.length > 0) ?? [],
    priority: String(given.priority ?? ""),
    isDone: given.passes ?? DONE.test(given.status?.trim() ?? ""),
    dependsOn: [...asList(given.dependsOn), ...asList(given.depends_on), ...asList(given.dependencies)],
    notes: given.notes?.trim() ?? "",
    assignee: given.assignee?.trim() ?? "",
  };
});

/** A story of a prd.json in any dialect. */
interface Story {
  /** As in the file; null if it has none. */
  id: string | null;
  title: string;
  description: string;
  criteria: readonly string[];
  /** As written: a number or a word. */
  priority: string;
  isDone: boolean;
  dependsOn: readonly string[];
  notes: string;
  assignee: string;
}

const stories = z.array(known, expected("a list of stories"));

/** Parses the stories below a key of a document; null if the document itself is the list. */
export const readStories = (value: unknown, key: string | null) =>
  key === null
    ? stories.safeParse(value)
    : z
        .looseObject({ [key]: stories })
        .transform((root): Story[] => root[key] ?? [])
        .safeParse(value);
