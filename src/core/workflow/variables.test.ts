import fc from "fast-check";
import { expect, test } from "vitest";
import { expandVariables } from "./variables.ts";

const VALUES = {
  USER_MESSAGE: "fix it",
  ARGUMENTS: "$USER_MESSAGE $& $1 $$",
  CONTEXT: "",
  "plan.output": "1. $ARGUMENTS",
  "my-plan_2.output": "two",
};

test.each([
  ["$USER_MESSAGE!", "fix it!"],
  ["($USER_MESSAGE) $USER_MESSAGE", "(fix it) fix it"],
  ["$ARGUMENTS", "$USER_MESSAGE $& $1 $$"],
  ["Follow: $plan.output.", "Follow: 1. $ARGUMENTS."],
  ["$my-plan_2.output", "two"],
  ["[$CONTEXT]", "[]"],
  ["$$USER_MESSAGE", "$fix it"],
  ["$USER_MESSAGE.output", "fix it.output"],
  ["$USER_MESSAGE. Then", "fix it. Then"],
  ["$USER_MESSAGE_2 $USER_MESSAGEs $user_message $MESSAGE", "$USER_MESSAGE_2 $USER_MESSAGEs $user_message $MESSAGE"],
  ["$plan.outputs $other.output $plan", "$plan.outputs $other.output $plan"],
  ["$constructor.output $toString", "$constructor.output $toString"],
  ["costs $5, `echo $HOME`", "costs $5, `echo $HOME`"],
])("%j becomes %j", (template, filled) => {
  expect(expandVariables(template, VALUES)).toBe(filled);
});

test("a value is never expanded again", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (message, output) => {
      const values = { USER_MESSAGE: message, "plan.output": output };
      expect(expandVariables("a $USER_MESSAGE b $plan.output c", values)).toBe(`a ${message} b ${output} c`);
    }),
    { examples: [["$plan.output", "$USER_MESSAGE $& $' $`"]] },
  );
});
