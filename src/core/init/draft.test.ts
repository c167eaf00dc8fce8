import { expect, test } from "vitest";
import { settingsSchema } from "../schema/settings.ts";
import { type Answers, type ChosenAgent, defaultAnswers, type Permission, remarksOn, settingsFrom } from "./draft.ts";

const EVERYTHING = { flags: ["--all"], means: "it may do everything" };
const claude: ChosenAgent = {
  command: "claude",
  permissions: {
    edit: (checks) => ({ flags: ["--edit", `--run ${checks.join(",")}`], means: "it may edit" }),
    everything: EVERYTHING,
  },
};
const without = (edit: Permission | null): ChosenAgent => ({
  command: "other",
  permissions: { edit: () => edit, everything: EVERYTHING },
});
const needsNone = without({ flags: [], means: "no flag needed" });
const answers: Answers = {
  agent: claude,
  access: "edit",
  verify: ["npm test"],
  guardrails: ["npm run lint"],
  scope: [],
  commit: false,
  maxIterations: 10,
};
const nothing: Answers = { ...answers, agent: null, verify: [], guardrails: [] };

test("the defaults are the proposals and the agent, which may edit and run the checks", () => {
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
  const settings = settingsFrom({ ...answers, commit: true, maxIterations: 3 }, "./s.json");
  expect(JSON.stringify(settings)).toBe(
    JSON.stringify({
      $schema: "./s.json",
      agent: { command: "claude", flags: ["--edit", "--run npm run lint,npm test"] },
      maximumIterations: 3,
      verify: ["npm test"],
      guardrails: [{ command: "npm run lint", failAction: "APPEND" }],
      scm: { tasks: ["commit"] },
    }),
  );
});

test("an unanswered question has no key", () => expect(settingsFrom(nothing, null)).toEqual({ maximumIterations: 10 }));

test("the agent gets the flags of its access, never more", () => {
  const flags = (given: Partial<Answers>) => settingsFrom({ ...answers, ...given }, null).agent;
  expect(flags({ access: "everything" })).toEqual({ command: "claude", flags: ["--all"] });
  expect(flags({ access: "read" })).toEqual({ command: "claude" });
  expect(flags({ agent: needsNone })).toEqual({ command: "other" });
  expect(flags({ agent: without(null) })).toEqual({ command: "other" });
  expect(flags({ agent: { command: "./own", permissions: null } })).toEqual({ command: "./own" });
});

test.each<[string, Answers]>([
  ["all", { ...answers, commit: true }],
  ["none", nothing],
])("settings from %s of the answers are accepted by the schema", (_name, given) => {
  const settings = settingsFrom(given, "./settings.schema.json");
  expect(settingsSchema.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
});

test.each<[string, Answers, RegExp[]]>([
  ["what the agent may do, and with which flags", answers, [/claude may edit files and run your check.*"--edit"/]],
  ["that it may do everything", { ...answers, access: "everything" }, [/claude may do everything with \["--all"\]/]],
  ["that it needs no flag", { ...answers, agent: needsNone }, [/other may edit .* commands: no flag needed/]],
  ["that its tools may be refused", { ...answers, access: "read" }, [/claude gets no answers.*"flags": \["--edit"/]],
  ["that it has no mild flag", { ...answers, agent: without(null) }, [/gets no answers.*\["--all"\] \(it may do/]],
  ["nothing about an unknown agent", { ...answers, agent: { command: "./own", permissions: null } }, []],
  ["what is missing", nothing, [/no agent is set.*--agent/, /nothing proves completion.*"verify"/]],
])("remarks: %s", (_name, given, says) => {
  expect(remarksOn(given)).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
});
