import { expect, test } from "vitest";
import { aStep } from "../../../../test/support/workflow.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { unfilledNames } from "./unfilled-names.ts";

const step = (name: string, text: string) => aStep(name, { prompt: { text, command: null } });

test.each<[string, Workflow["parts"], string[]]>([
  ["names that are filled in", [step("plan", "$USER_MESSAGE"), step("build", "$plan.output $ITERATION")], []],
  ["a name that is not ours", [step("plan", "costs $5, set $HOME and $PATH, $a.out")], []],
  [
    "a misspelt name, once",
    [step("plan", "$USER_MESAGE and $USER_MESAGE")],
    ['w.yaml: "plan": $USER_MESAGE is not replaced; did you mean $USER_MESSAGE?'],
  ],
  [
    "a part that comes later, or never",
    [step("plan", "$build.output"), step("build", "$plam.output")],
    [
      'w.yaml: "plan": $build.output is not replaced: no part before it is called build',
      'w.yaml: "build": $plam.output is not replaced: no part before it is called plam; did you mean plan?',
    ],
  ],
])("%s", (_name, parts, notes) => expect(unfilledNames({ file: "w.yaml", parts })).toEqual(notes));
