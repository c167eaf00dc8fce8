import { expect, test } from "vitest";
import { settingsSchema } from "../schema/settings.ts";
import { type Answers, defaultAnswers, remarksOn, settingsFrom } from "./draft.ts";

const claude = { command: "claude", editPermission: { flag: "--edit all", means: "it may edit" } };
const answers: Answers = {
  agent: claude,
  mayEdit: false,
  verify: ["npm test"],
  guardrails: ["npm run lint"],
  scope: [],
  commit: false,
  maxIterations: 10,
};
const nothing: Answers = { ...answers, agent: null, verify: [], guardrails: [] };

test("the defaults are the proposals and the agent, and grant no permissions", () => {
  const proposals = {
    verify: [{ command: "npm test", from: "package.json" }],
    guardrails: [{ command: "npm run lint", from: "package.json" }],
    scope: ["src/**"],
    notes: [],
  };
  expect(defaultAnswers(proposals, claude)).toEqual(answers);
  expect(defaultAnswers({ verify: [], guardrails: [], scope: [], notes: [] }, null)).toEqual(nothing);
});

test("settings contain the answers, the schema first", () => {
  const settings = settingsFrom({ ...answers, mayEdit: true, commit: true, maxIterations: 3 }, "./s.json");
  expect(JSON.stringify(settings)).toBe(
    JSON.stringify({
      $schema: "./s.json",
      agent: { command: "claude", flags: ["--edit all"] },
      maximumIterations: 3,
      verify: ["npm test"],
      guardrails: [{ command: "npm run lint", failAction: "APPEND" }],
      scm: { tasks: ["commit"] },
    }),
  );
});

test("an unanswered question has no key", () => expect(settingsFrom(nothing, null)).toEqual({ maximumIterations: 10 }));

test("the agent gets the flag for edits only if it needs one and the user agreed", () => {
  expect(settingsFrom({ ...answers, mayEdit: true }, null).agent?.flags).toEqual(["--edit all"]);
  expect(settingsFrom(answers, null).agent).toEqual({ command: "claude" });
  const agent = { command: "opencode", editPermission: null };
  expect(settingsFrom({ ...answers, agent, mayEdit: true }, null).agent).toEqual({ command: "opencode" });
});

test.each<[string, Answers]>([
  ["all", { ...answers, mayEdit: true, commit: true }],
  ["none", nothing],
])("settings from %s of the answers are accepted by the schema", (_name, given) => {
  const settings = settingsFrom(given, "./settings.schema.json");
  expect(settingsSchema.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
});

test.each<[string, Answers, RegExp[]]>([
  ["nothing if everything is found", { ...answers, mayEdit: true }, []],
  [
    "nothing about permissions that are not needed",
    { ...answers, agent: { command: "opencode", editPermission: null } },
    [],
  ],
  ["that edits may be refused, and how to allow them", answers, [/claude gets no answers.*--edit all/]],
  ["what is missing", nothing, [/no agent is set.*--agent/, /nothing proves completion.*"verify"/]],
])("remarks: %s", (_name, given, says) => {
  expect(remarksOn(given)).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
});
