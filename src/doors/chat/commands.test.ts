import { expect, test } from "vitest";
import { commandOf } from "./commands.ts";

test.each([
  ["cancel", "cancel"],
  [" Stop! ", "cancel"],
  ["/cancel", "cancel"],
  ["Status?", "status"],
  ["help", "help"],
  ["list  workflows", "help"],
  ["cancel the subscription of the user", null],
  ["the status", null],
  ["constructor", null],
  ["", null],
])("%o", (text, command) => {
  expect(commandOf(text)).toBe(command);
});
