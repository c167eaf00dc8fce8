import { expect, test } from "vitest";
import { commandsIn } from "./commands.ts";

test("every command of the criteria is named once", () => {
  expect(commandsIn(null)).toEqual([]);
  expect(
    commandsIn({
      outcome: "the command is `rm -rf /`",
      acceptance_criteria: ["check: no", { text: "documented", check: "test -f docs.md" }],
      coder: { promise: "DONE", verification_method: "external", verification_config: { command: "npm test" } },
      reviewer: { promise: "OK", verification_method: "plugin:size", verification_config: { most: 3 } },
      tester: { promise: "OK", verification_template: "node" },
      qa: {
        promise: "OK",
        verification_method: "multi_stage",
        verification_config: {
          stages: [
            { name: "a", method: "external", config: { command: "npm test" } },
            { name: "b", method: "external", config: { command: "npm run lint" } },
            { name: "c", method: "semantic", config: { judge: { agent: { command: "claude" } } } },
          ],
        },
      },
    }),
  ).toEqual(["test -f docs.md", "npm test", "plugin:size", "template node", "npm run lint", "claude"]);
});
