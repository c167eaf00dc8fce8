import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { importGithub } from "./github.ts";

const ISSUE = { number: 12, title: "Fix login", body: "", labels: [], assignees: [], state: "OPEN" };
const first = (issue: object) => importGithub(JSON.stringify([{ ...ISSUE, ...issue }]), "issues.json").drafts[0];

test("reads open issues, as gh prints them", () => {
  const issues = [
    {
      assignees: [{ id: "MDQ6", login: "kim", name: "Kim" }],
      body: "It fails.\r\n\r\n### Acceptance Criteria\r\n\r\n- [ ] logs in\r\n- stays in\r\n\r\nSee also:\r\n- the wiki",
      labels: [{ id: "LA_x", name: "bug", description: "", color: "d73a4a" }, { name: "priority:high" }],
      number: 12,
      state: "OPEN",
      title: "Fix login",
      url: "https://github.com/o/r/issues/12",
    },
    { ...ISSUE, number: 13, state: "CLOSED" },
  ];
  const { drafts, done } = importGithub(JSON.stringify(issues), "issues.json");
  expect(done).toEqual(["GH-13"]);
  expect(drafts).toMatchObject([
    {
      id: "GH-12",
      story: "GH-12",
      url: "https://github.com/o/r/issues/12",
      title: "Fix login",
      outcome: "Fix login",
      criteria: ["logs in", "stays in"],
      priority: 1,
      assignee: "kim",
      description: expect.stringMatching(/^It fails\.\n\n### Acceptance/),
    },
  ]);
});

test("reads a single issue", () => {
  expect(importGithub(JSON.stringify(ISSUE), "issue.json").drafts).toMatchObject([{ id: "GH-12" }]);
});

test.each<[string, string[]]>([
  ["- [ ] a\n- [x] b\n- c", ["a", "b"]],
  ["**Acceptance criteria**\n1. a\n2. b\n\nwords\n- c", ["a", "b"]],
  ["Acceptance criteria:\n* Priority: shown first\n## More\n- [ ] c", ["Priority: shown first"]],
  ["- c", []],
])("the criteria, from %j", (body, criteria) => {
  expect(first({ body })?.criteria).toEqual(criteria);
});

test.each<[string, number | null]>([
  ["P0", 1],
  ["p1", 1],
  ["P2 - later", 2],
  ["priority:1", 1],
  ["priority: 3", 3],
  ["priority/high", 1],
  ["Priority-Medium", 2],
  ["high priority", 1],
  ["low", 3],
  ["low hanging fruit", null],
  ["bug", null],
  ["prior art", null],
])("the label %j means priority %s", (name, priority) => {
  expect(first({ labels: [{ name: "x" }, { name }] })?.priority).toBe(priority);
});

test.each<[string, string[]]>([
  ["Depends on #1", ["GH-1"]],
  ["It is blocked by #2, #3 and #4.", ["GH-2", "GH-3", "GH-4"]],
  ["**Depends on:** #5\nblocked-by #5", ["GH-5"]],
  ["Blocked by:\n- #6\n- #7\n\nsee #8 too", ["GH-6", "GH-7"]],
  ["see #9", []],
  ["depends on the weather #10", []],
])("%j depends on %j", (body, dependsOn) => {
  expect(first({ body })?.dependsOn).toEqual(dependsOn);
});

test.each<[string, string, RegExp]>([
  ["no number", '[{"title": "x"}]', /^i\.json:1:2: \[0\]\.number: missing/],
  ["an invalid number", '[{"number": -1, "title": "x"}]', /1:13: \[0\]\.number/],
  ["no title", '[{"number": 1, "title": " "}]', /\[0\]\.title: expected text that is not empty/],
  ["invalid labels", '[{"number": 1, "title": "x", "labels": [3]}]', /labels/],
  ["text", '"x"', /expected a list of issues/],
])("refuses %s", (_name, text, says) => {
  expect(() => importGithub(text, "i.json")).toThrow(says);
  expect(() => importGithub(text, "i.json")).toThrow(RalphError);
});
