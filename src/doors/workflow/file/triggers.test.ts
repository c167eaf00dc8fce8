import fc from "fast-check";
import { expect, test } from "vitest";
import { matchWorkflow, triggersOf } from "./triggers.ts";

const RALPH = `Autonomous iteration loop that implements PRD stories one by one.
Use when: You have a prd.json with user stories to implement autonomously.
Triggers: "run ralph", "implement all stories", "autonomous loop".
Does: Picks next story with "passes": false, implements it, repeats until all pass.`;

test.each<[string, string, string[]]>([
  ["the document's example", RALPH, ["run ralph", "implement all stories", "autonomous loop"]],
  ["none", 'Fixes "things".', []],
  ["on one line", 'Fix. Triggers: "fix it", "mend it". Does: prints "x".', ["fix it", "mend it"]],
  ["a list below", 'Triggers:\n  - "a b"\n  - “c d”\nNOT for: "e"', ["a b", "c d"]],
  ["single quotes, but no apostrophes", "Triggers: 'fix it', don't say 'stop'", ["fix it", "stop"]],
  ["a phrase over two lines, once", 'Triggers: "fix\n  it", "fix it"', ["fix it"]],
  ["a colon within a phrase", 'Triggers: "Say: hello", "b"', ["Say: hello", "b"]],
  ["nothing usable", 'Triggers: "", " ", "!"', []],
  ["an unclosed quote", 'Triggers: "a, b', []],
])("triggers of a description: %s", (_name, description, triggers) => {
  expect(triggersOf(description)).toEqual(triggers);
});

const flows = [
  { name: "ralph", triggers: ["run ralph", "implement all stories"] },
  { name: "fix", triggers: ["broken", "mend the build"] },
  { name: "fix-issue", triggers: ["mend the build now"] },
  { name: "Plan It", triggers: ["broken"] },
];

test.each<[string, string, string]>([
  ["its name alone", "ralph", "ralph | ralph"],
  ["its name in another case", "RALPH", "ralph | RALPH"],
  ["its name, then text", "ralph do the docs", "ralph | do the docs"],
  ["its name with a colon", "fix: the tests\nand more", "fix | the tests\nand more"],
  ["a longer name", "fix-issue #12", "fix-issue | #12"],
  ["a name with a space", "plan it for me", "Plan It | for me"],
  ["run and its name", "run ralph", "ralph | run ralph"],
  ["run, its name and text", "run ralph on the docs", "ralph | on the docs"],
  ["a command", "/workflow run fix the tests", "fix | the tests"],
  ["a command without text", "/workflow run fix", "fix | /workflow run fix"],
  ["a command beats triggers", "/workflow run fix implement all stories", "fix | implement all stories"],
  [
    "a trigger within a sentence",
    "Please IMPLEMENT  all\nstories today!",
    "ralph | Please IMPLEMENT  all\nstories today!",
  ],
  ["the longest trigger", "mend the build now", "fix-issue | mend the build now"],
  ["a word that only starts with a name", "fixing things", "none"],
  ["a word that only contains a trigger", "it is unbroken", "none"],
  ["a trigger of two workflows", "it is broken", "fix or Plan It"],
  ["nothing", "", "none"],
  ["an unknown name", "/workflow run nothing here", "none: nothing"],
])("which workflow a message starts: %s", (_name, message, expected) => {
  const match = matchWorkflow(message, flows);
  const told = {
    match: () => (match.is === "match" ? `${match.workflow.name} | ${match.message}` : ""),
    ambiguous: () => (match.is === "ambiguous" ? match.workflows.map(({ name }) => name).join(" or ") : ""),
    none: () => (match.is === "none" && match.asked !== null ? `none: ${match.asked}` : "none"),
  };
  expect(told[match.is]()).toBe(expected);
});

test("any message is answered, and a match has content", () => {
  const word = fc.string({ minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.string(), fc.array(word, { maxLength: 5 }), (said, names) => {
      const workflows = names.map((name) => ({ name, triggers: triggersOf(`Triggers: "${name}"`) }));
      const match = matchWorkflow(said, workflows);
      if (match.is === "match") expect(match.message).not.toBe("");
    }),
  );
});
