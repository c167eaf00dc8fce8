import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyCommand, helpOf, programOf } from "./support/program.ts";

/** Words that we do not write, and the common technical word to write instead. */
const UNUSED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:mend(?:s|ed|ing)?|see to it)\b/gi, "fix"],
  [/\b(?:is|are|was|were|be|been|being|get|gets) told\b/gi, "report, show, warn"],
  [/\btells? (?:of|nothing)\b/gi, "report, show"],
  [/\b(?:says?|said) of\b/gi, "report"],
  [/\bwish(?:es|ed)?\b/gi, "request"],
  [/\b(?:goes|went|going) on\b|\bgo on(?= (?:with|until|where|by)\b)/gi, "continue, resume"],
  [/\b(?:takes?|took|taken|taking) up\b/gi, "start"],
  [/\b(?:brings?|brought|bringing) home\b/gi, "finish, merge"],
  [/\bwhat must hold\b|\b(?:still|no longer) holds\b/gi, 'pass, what "done" means'],
  [/\b(?:somebody|nobody|whoever)\b/gi, "the user, the agent, another process"],
  [/\bfor nothing\b/gi, "free"],
  [/\b(?:so|as) many(?= (?:iterations|times|seconds|dollars|turns|tasks|files)\b)/gi, "maximum"],
  [/\bwhat stands in\b/gi, "the value of"],
  [/\bgreen already\b/gi, "already passes"],
  [/\b(?:the )?whole story\b/gi, "the full history"],
];

/** Where old words are data: what agents say, what tests play, and what released files contain. */
const EXEMPT = /^src\/core\/claim\/|\.test\.tsx?$|\.jsonl$|\/migrations?\b/;

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => pattern.test(path) && !path.includes("node_modules") && !EXEMPT.test(path));

/** Each unused word with its line and its replacement. */
const unusedIn = (text: string): string[] =>
  text
    .split("\n")
    .flatMap((line, i) =>
      UNUSED.flatMap(([pattern, instead]) =>
        [...line.matchAll(pattern)].map(([found]) => `${i + 1}: "${found}" (write: ${instead})`),
      ),
    );

test.each([
  [
    "guides",
    ["README.md", "CONTRIBUTING.md", "AGENTS.md", ...filesIn("docs", /\.md$/), ...filesIn("examples", /\.md$/)],
  ],
  ["the source", filesIn("src", /\.tsx?$/)],
])("%s are written in plain English", (_what, files) => {
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((path) => unusedIn(readFileSync(path, "utf8")).map((word) => `${path}:${word}`));
  expect(found).toEqual([]);
});

test("the help of every command is written in plain English", () => {
  const help = everyCommand(programOf()).map(helpOf);
  expect(help.length).toBeGreaterThan(30);
  expect(unusedIn(help.join("\n"))).toEqual([]);
});

test("a word that we do not use is found, and ordinary English is not", () => {
  expect(unusedIn("One that fails is told, and the loop goes on.")).toHaveLength(2);
  expect(unusedIn("The loop continues; go on to the next page. A file recommends a fix.")).toEqual([]);
});
