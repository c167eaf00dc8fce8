import { expect, test } from "vitest";
import type { Part, StepPart, Workflow } from "../core/workflow/workflow.ts";
import { partOfMessage } from "./needs.ts";

const step = (name: string, text: string): StepPart => ({
  kind: "step",
  name,
  prompt: { text, command: null },
  fresh: false,
  retry: { attempts: 0, delayMs: 0 },
  provider: null,
  model: null,
  tools: { allowed: null, denied: [] },
  idleTimeoutS: null,
});
const bash = (command: string): Part => ({
  kind: "bash",
  name: "b",
  command,
  timeoutS: null,
  retry: { attempts: 0, delayMs: 0 },
});
const together = (...steps: StepPart[]): Part => ({ kind: "parallel", name: "p", steps });

test.each<[string, Part[], object | null]>([
  ["none", [step("a", "Tidy up $ARTIFACTS_DIR, $USER_MESSAGES")], null],
  ["a step", [step("a", "x"), step("b", "Do $USER_MESSAGE.")], { part: "b", variable: "USER_MESSAGE" }],
  ["a parallel step", [together(step("a", "x"), step("b", "$ARGUMENTS"))], { part: "b", variable: "ARGUMENTS" }],
  ["a command", [bash(`echo "$\{USER_MESSAGE}"`)], { part: "b", variable: "USER_MESSAGE" }],
])("finds what needs a message: %s", (_name, parts, found) => {
  expect(partOfMessage({ parts } as unknown as Workflow)).toEqual(found);
});
