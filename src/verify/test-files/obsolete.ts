import { isObsolete, type Subject } from "../../core/test-files/subjects.ts";
import { type Inventory, type TestFile, titlesOf } from "./inventory.ts";
import { repositoryNow } from "./repository-now.ts";

/** Tests that were removed together with everything they test: their titles, by file. */
export type Obsolete = ReadonlyMap<string, ReadonlySet<string>>;

/** Titles of tests by the file that had them. */
type Titles = ReadonlyMap<string, readonly string[]>;

/** By what the sources define now, where the state of the start is unknown. */
export function obsoleteByName(root: string, gone: Titles, before: Inventory): Obsolete {
  const now = repositoryNow(root);
  return new Map(
    [...gone].map(([path, titles]) => [
      path,
      new Set(titles.filter((title) => isObsolete(subjectsOf(before[path], title), now))),
    ]),
  );
}

/** The titles that no file has any more. */
export function goneTitles(before: Inventory, now: Inventory): Titles {
  const known = titlesOf(now);
  const gone = Object.entries(before).map(
    ([path, { tests }]) => [path, tests.map(({ title }) => title).filter((title) => !known.has(title))] as const,
  );
  return new Map(gone.filter(([, titles]) => titles.length > 0));
}

/** What a test uses, or what its whole file uses if that is unknown. */
export function subjectsOf(file: TestFile | undefined, title: string): readonly Subject[] {
  const subjects = file?.subjects ?? [];
  const of = file?.tests.find((test) => test.title === title)?.of;
  return of ? of.flatMap((place) => subjects[place] ?? []) : subjects;
}
