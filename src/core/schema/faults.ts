import type * as z from "zod";
import { keyName } from "../complaints.ts";

/** As many faults as are reported; the rest is counted. */
export const MOST_FAULTS = 20;
/** A text of unknown length, as it is shown in a message; it keeps its white space. */
export const clipped = (text: string, most = 200): string => (text.length > most ? `${text.slice(0, most)}…` : text);

type Issue = z.core.$ZodIssue;

/** A schema violation and its path. For an unknown key, `at` refers to the key instead of its value. */
export interface Fault {
  path: readonly PropertyKey[];
  at: "key" | "value";
  text: string;
}

/**
 * The faults of a value that a schema refused, in words; `at`: the position of the value in its document. Only the first
 * ones are listed, because anyone may send a value with very many.
 */
export function faultsOf(error: z.ZodError, at: readonly PropertyKey[] = []): Fault[] {
  const told: Fault[] = [];
  let more = 0;
  for (const issue of error.issues) {
    const left = MOST_FAULTS - told.length;
    const { faults, all } = left > 0 ? faultsOfIssue({ ...issue, path: [...at, ...issue.path] }, left) : NONE;
    told.push(...faults);
    more += all - faults.length;
  }
  // At the position of the last one, because faults are shown in the order of the document.
  if (more > 0) told.push({ path: at, at: "value", ...told.at(-1), text: `and ${more} more` });
  return told;
}

/** An issue that is only counted. */
const NONE = { faults: [], all: 1 };

function faultsOfIssue(reported: Issue, most: number): { faults: Fault[]; all: number } {
  const issue = mostSpecific(reported);
  if (issue.code !== "unrecognized_keys") return { faults: [fault(issue.path, "value", issue.message)], all: 1 };
  const messages = issue.message.split("\n");
  const keys = issue.keys.slice(0, most);
  const faults = keys.map((key, i) => fault([...issue.path, key], "key", messages[i] ?? "unknown key"));
  return { faults, all: issue.keys.length };
}

const fault = (path: readonly PropertyKey[], at: Fault["at"], text: string): Fault => ({
  path,
  at,
  text: path.length > 0 ? `${nameOf(path)}: ${clipped(text, MOST_CHARS)}` : clipped(text, MOST_CHARS),
});

/** Enough for the list of all keys that are known in one place. */
const MOST_CHARS = 1_000;

/** The length of each key is limited, and then that of all of them. */
const nameOf = (path: readonly PropertyKey[]): string => clipped(keyName(path.slice(0, MOST_STEPS).map(shortPart)));

const MOST_STEPS = 100;

const shortPart = (part: PropertyKey): PropertyKey => (typeof part === "string" ? clipped(part) : part);

/** For a value that matches no member of a union: the issue of the closest member, if any is close. */
function mostSpecific(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const tried = issue.errors.flat();
  // A misspelled key is reported before the key that is missing because of it.
  const inner = tried.find(({ code }) => code === "unrecognized_keys") ?? tried.find(({ path }) => path.length > 0);
  return inner === undefined ? issue : mostSpecific({ ...inner, path: [...issue.path, ...inner.path] });
}
