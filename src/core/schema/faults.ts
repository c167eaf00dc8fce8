import type * as z from "zod";
import { keyName } from "../complaints.ts";

type Issue = z.core.$ZodIssue;

/** A schema violation and its path. For an unknown key, `at` refers to the key instead of its value. */
export interface Fault {
  path: readonly PropertyKey[];
  at: "key" | "value";
  text: string;
}

/** The faults of a value that a schema refused, in words; `at`: the position of the value in its document. */
export const faultsOf = (error: z.ZodError, at: readonly PropertyKey[] = []): Fault[] =>
  error.issues.flatMap((issue) => faultsOfIssue({ ...issue, path: [...at, ...issue.path] }));

function faultsOfIssue(reported: Issue): Fault[] {
  const issue = mostSpecific(reported);
  if (issue.code !== "unrecognized_keys") return [fault(issue.path, "value", issue.message)];
  const messages = issue.message.split("\n");
  return issue.keys.map((key, i) => fault([...issue.path, key], "key", messages[i] ?? issue.message));
}

const fault = (path: readonly PropertyKey[], at: Fault["at"], text: string): Fault => ({
  path,
  at,
  text: path.length > 0 ? `${keyName(path)}: ${text}` : text,
});

/** For a value that matches no member of a union: the issue of the closest member, if any is close. */
function mostSpecific(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const tried = issue.errors.flat();
  // A misspelled key is reported before the key that is missing because of it.
  const inner = tried.find(({ code }) => code === "unrecognized_keys") ?? tried.find(({ path }) => path.length > 0);
  return inner === undefined ? issue : mostSpecific({ ...inner, path: [...issue.path, ...inner.path] });
}
