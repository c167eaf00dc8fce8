import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { importMarkdown, markChecked } from "./markdown.ts";

const read = (text: string) => importMarkdown(text, "plan.md");
const titles = (text: string) => read(text).drafts.map(({ id, title }) => [id, title]);

test("a checklist: boxes are tasks, indented items below them are criteria", () => {
  const { drafts, done, project } = read(`# Checkout

Some words.

## Backend
- [ ] TASK-001: Add the cart
      for everybody
  - shows a total
    in the user's currency
  - [ ] survives a reload
    * also in Safari
  - depends on: TASK-000, TASK-002
  - **Priority:** P1
  - Assignee: kim
- [x] TASK-000: Set up CI
  - runs
* [~] Half done
1. [ ] Numbered

- no task
  - [ ] a task all the same
`);
  expect(project).toBe("Checkout");
  expect(done).toEqual(["TASK-000"]);
  expect(drafts.map(({ place, ...draft }) => ({ ...draft, line: place().line }))).toMatchObject([
    {
      id: "TASK-001",
      title: "Add the cart",
      description: "for everybody",
      outcome: "Add the cart",
      criteria: ["shows a total\nin the user's currency", "survives a reload", "also in Safari"],
      dependsOn: ["TASK-000", "TASK-002"],
      priority: 1,
      assignee: "kim",
      line: 6,
    },
    { id: null, story: "Half done", criteria: [], line: 17 },
    { title: "Numbered" },
    { title: "a task all the same" },
  ]);
});

test.each<[string, string | null, string]>([
  ["TASK-001: Do it", "TASK-001", "Do it"],
  ["[US-3] Do it", "US-3", "Do it"],
  ["**US-3**: Do it", "US-3", "Do it"],
  ["**[US-3]** Do it", "US-3", "Do it"],
  ["`AUTH-12` Do it", "AUTH-12", "Do it"],
  ["**US-3: Do it**", "US-3", "Do it"],
  ["US-3 - Do it", "US-3", "Do it"],
  ["US-001 Do it", "US-001", "Do it"],
  ["T001 [P] Do it", "T001", "[P] Do it"],
  ["task_3: Do it", "task_3", "Do it"],
  ["FEAT-1.2. Do it", "FEAT-1.2", "Do it"],
  ["Do it", null, "Do it"],
  ["Auth: do it", null, "Auth: do it"],
  ["SHA-256 sums are shown", null, "SHA-256 sums are shown"],
  ["HTTP2 support", null, "HTTP2 support"],
  ["utf8: mend it", null, "utf8: mend it"],
  ["[docs](x.md) are linked", null, "[docs](x.md) are linked"],
  ["**Bold** words", null, "Bold words"],
  ["1.2 Do it", null, "1.2 Do it"],
  ["US-7", "US-7", "US-7"],
])("of `%s` the id is %s", (text, id, title) => {
  expect(titles(`- [ ] ${text}`)).toEqual([[id, title]]);
});

const PRD = `# PRD: Priorities

## Goals
- [ ] Nobody's task

## User Stories

### US-001: Store the priority
**Priority:** 1 (highest)
**Status:** [ ] pending | [x] complete

**Description:** As a developer, I store it.

**Acceptance Criteria:**
- [ ] A column exists
  - with a default
- [x] Status: 200 is answered
  whatever comes

### US-002: Show it
As a user, I see it.

#### Acceptance Criteria
- It is shown
- It is red

#### Notes
- Keep it small
- Depends on nothing

**Depends on:** US-001

### US-003: Done by its status
**Status:** Done

### ✅ US-004: Done by its mark

### US-005: Done by its boxes
- [x] one
- [X] two

## Non-goals
- [ ] not this
`;

test("a PRD: headings are tasks, and only the text below them counts", () => {
  const { drafts, done, project } = read(PRD);
  expect(project).toBe("PRD: Priorities");
  expect(done).toEqual(["US-003", "US-004", "US-005"]);
  expect(drafts).toMatchObject([
    {
      id: "US-001",
      title: "Store the priority",
      outcome: "As a developer, I store it.",
      priority: 1,
      criteria: ["A column exists", "with a default", "Status: 200 is answered\nwhatever comes"],
    },
    {
      id: "US-002",
      outcome: "As a user, I see it.",
      criteria: ["It is shown", "It is red"],
      description: "As a user, I see it.\nNotes\n- Keep it small\n- Depends on nothing",
      dependsOn: ["US-001"],
    },
  ]);
});

test.each<[string, string, [string | null, string][]]>([
  ["Task: …", "## Task: Do it", [[null, "Do it"]]],
  ["Task 3: …", "## Task 3: Do it", [["TASK-3", "Do it"]]],
  ["User Story 1.2 - …", "### User Story 1.2 - Do it", [["STORY-1.2", "Do it"]]],
  ["a number alone", "### User Story 1\n**As a** user\n**I want** it", [["STORY-1", "As a user"]]],
  ["an id in brackets", "### [AUTH-7] Do it ###", [["AUTH-7", "Do it"]]],
  [
    "grouped tasks",
    "## Feature 1: Auth\nwords\n### US-1: In\n### US-2: Out",
    [
      ["US-1", "In"],
      ["US-2", "Out"],
    ],
  ],
  [
    "a group with its own criteria",
    "## US-1: In\n- [ ] holds\n### US-2: Out",
    [
      ["US-1", "In"],
      ["US-2", "Out"],
    ],
  ],
  ["nothing in code", "```\n### US-1: no\n- [ ] no\n```\n- [ ] yes", [[null, "yes"]]],
  ["nothing in comments", "<!--\n- [ ] no\n-->\n- [ ] yes", [[null, "yes"]]],
  [
    "Windows' lines",
    "- [ ] a\r\n- [ ] b\r\n",
    [
      [null, "a"],
      [null, "b"],
    ],
  ],
  [
    "a list directly after a paragraph",
    "words\n- [ ] a\n- [ ] b",
    [
      [null, "a"],
      [null, "b"],
    ],
  ],
])("finds %s", (_name, text, found) => {
  expect(titles(text)).toEqual(found);
});

test.each([
  "",
  "# Title\n\nwords",
  "## Tasks\n- one\n- two",
  "- [a](b)",
])("finds no tasks in %j, and says what it looked for", (text) => {
  expect(() => read(text)).toThrow(/^plan\.md:1:1: no tasks found: expected a checklist/);
  expect(() => read(text)).toThrow(RalphError);
});

test("criteria in every common form", () => {
  const { drafts } = read(
    "### US-1: x\nAcceptance criteria: it works\n- no bullet of those\n\nDefinition of done:\n1. one\n2) two",
  );
  expect(drafts[0]?.criteria).toEqual(["it works", "no bullet of those", "one", "two"]);
});

test("ticks a task and its criteria, and changes nothing else", () => {
  const text = "\uFEFF# x\r\n- [ ] A-1: one\r\n\t* [ ] holds\r\n- [ ] two  \r\n- [ ] two";
  expect(markChecked(text, "A-1")).toBe("\uFEFF# x\r\n- [x] A-1: one\r\n\t* [x] holds\r\n- [ ] two  \r\n- [ ] two");
  expect(markChecked(text, "two #2")).toBe("\uFEFF# x\r\n- [ ] A-1: one\r\n\t* [ ] holds\r\n- [ ] two  \r\n- [x] two");
  expect(markChecked(text, "three")).toBeNull();
  const ticked = markChecked(PRD, "US-001") ?? "";
  expect(ticked).toBe(PRD.replace("- [ ] A column", "- [x] A column"));
  expect(read(ticked).done).toContain("US-001");
  expect(markChecked(ticked, "US-001")).toBe(ticked);
});
