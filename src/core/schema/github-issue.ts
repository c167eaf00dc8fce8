import * as z from "zod";
import { expected } from "./messages.ts";

const maybeText = z.string(expected("text")).nullish();
const named = (key: "name" | "login") =>
  z
    .array(
      z.union([z.string(), z.looseObject({ [key]: z.string() })], expected(`a map with ${key}`)),
      expected("a list"),
    )
    .nullish()
    .transform((list) => (list ?? []).map((one) => (typeof one === "string" ? one : String(one[key]))));

const issue = z.looseObject(
  {
    number: z.int(expected("the issue's number")).min(1, expected("the issue's number")),
    title: z.string(expected("text")).regex(/\S/, expected("text that is not empty")),
    body: maybeText,
    state: maybeText,
    url: maybeText,
    labels: named("name"),
    assignees: named("login"),
  },
  expected("an issue: a map with number, title and body"),
);
/** An issue as `gh issue list --json …` prints it. */
export type GithubIssue = z.output<typeof issue>;

const issues = z.union([z.array(issue), issue.transform((one) => [one])], expected("a list of issues"));

/** Parses a list of issues, or a single one. */
export const readIssues = (value: unknown) => (Array.isArray(value) ? z.array(issue) : issues).safeParse(value);
