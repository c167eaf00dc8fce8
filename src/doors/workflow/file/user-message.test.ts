import { expect, test } from "vitest";
import { aCommand, aStep } from "../../../../test/support/workflow.ts";
import type { Part, Workflow } from "../../../core/workflow/workflow.ts";
import { partNeedingMessage } from "./user-message.ts";

const step = (name: string, text: string) => aStep(name, { prompt: { text, command: null } });
const bash = (command: string) => aCommand("b", { command });
const together = (...steps: ReturnType<typeof step>[]): Part => ({ kind: "parallel", name: "p", steps });

test.each<[string, Part[], object | null]>([
  ["none", [step("a", "Tidy up $ARTIFACTS_DIR, $USER_MESSAGES")], null],
  ["a step", [step("a", "x"), step("b", "Do $USER_MESSAGE.")], { part: "b", variable: "USER_MESSAGE" }],
  ["a parallel step", [together(step("a", "x"), step("b", "$ARGUMENTS"))], { part: "b", variable: "ARGUMENTS" }],
  ["a command", [bash(`echo "$\{USER_MESSAGE}"`)], { part: "b", variable: "USER_MESSAGE" }],
])("finds where a message is needed: %s", (_name, parts, found) => {
  expect(partNeedingMessage({ parts } as unknown as Workflow)).toEqual(found);
});
