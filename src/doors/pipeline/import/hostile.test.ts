import fc from "fast-check";
import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { readTaskCompletion } from "../../../core/schema/read-criteria.ts";
import { isId } from "../../../core/task/task.ts";
import { formatOf, importTasks } from "./format.ts";
import { markChecked } from "./markdown.ts";
import { planImport } from "./plan.ts";
import { markPassed } from "./prd-passed.ts";

const FORMATS = ["prd", "markdown", "github"] as const;
const NOTHING = { ids: new Map(), sources: new Map() };

/** A readable entry can be a task; an unreadable one is reported. */
function survives(text: string, format: (typeof FORMATS)[number]): void {
  try {
    const place = { file: "f", path: "f", spec: "s" };
    const { tasks } = planImport(importTasks(text, "f", format), NOTHING, place);
    const ids = tasks.map(({ id }) => id.toLowerCase());
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, title, completionSpec } of tasks) {
      expect(isId(id)).toBe(true);
      expect(title).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+$/);
      expect(readTaskCompletion(completionSpec).error).toBeUndefined();
    }
  } catch (error) {
    expect(error).toBeInstanceOf(RalphError);
  }
}

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const anyLine = fc.oneof(
  anyText,
  fc.constantFrom(
    "- [ ] ",
    "  - [x] A-1: ",
    "### US-1: ",
    "## Task 2",
    "**Acceptance Criteria**",
    "depends on: A-1",
    "```",
    "\t* ",
  ),
);
const markdown = fc.array(fc.tuple(anyLine, anyText).map(([a, b]) => a + b)).map((lines) => lines.join("\n"));
const anyValue = fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(anyText, { maxLength: 3 }));
const story = fc.record(
  {
    id: fc.oneof(anyText, fc.integer()),
    title: fc.oneof(anyText, anyValue),
    description: anyText,
    acceptanceCriteria: fc.array(anyText),
    priority: anyValue,
    passes: fc.boolean(),
    dependsOn: fc.array(anyText, { maxLength: 1 }),
    body: anyText,
    number: fc.integer(),
    labels: fc.array(anyText),
  },
  { requiredKeys: [] },
);
const json = fc.oneof(
  fc.array(story).map((list) => JSON.stringify(list)),
  fc.array(story).map((userStories) => JSON.stringify({ userStories })),
  fc.json(),
);

test.each(FORMATS)("no text crashes the %s importer", (format) => {
  fc.assert(
    fc.property(fc.oneof(anyText, markdown, json), (text) => survives(text, format)),
    { numRuns: 300 },
  );
});

test("no text crashes the others", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, markdown, json), anyText, (text, story) => {
      markChecked(text, story);
      markPassed(text, story);
      try {
        formatOf(text, "f");
      } catch (error) {
        expect(error).toBeInstanceOf(RalphError);
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[string, string]>([
  ["opened brackets", "- [ ] [".repeat(50_000)],
  ["spaces", `- [ ] a${" ".repeat(500_000)}b`],
  ["a bold line", `${"**".repeat(200_000)}`],
  ["headings", `${"#".repeat(200_000)} US-1: x`],
  ["tildes", `- [ ] ~~${"~~x".repeat(100_000)}`],
  ["dashes", `### US-1${"-".repeat(300_000)}: x`],
  ["nested boxes", Array.from({ length: 3_000 }, (_, i) => `${" ".repeat(i)}- [ ] x`).join("\n")],
  ["commas", `- [ ] A-1: x\n  - depends on: ${",".repeat(300_000)}`],
  ["issues that wait", JSON.stringify([{ number: 1, title: "x", body: "depends on ".repeat(30_000) }])],
])(
  "%s are read in time",
  (_name, text) => {
    for (const format of FORMATS) survives(text, format);
  },
  3_000,
);
