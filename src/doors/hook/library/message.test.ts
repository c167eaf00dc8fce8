import { expect, test } from "vitest";
import { detectInMessages, messagesIn } from "./message.ts";

const PROMISE = "<promise>DONE</promise>";
const text = (said: unknown) => ({ type: "text", text: said });

test.each<[string, unknown, string | undefined]>([
  ["a text", "All done.", "All done."],
  ["parts of text", [text("All "), text("done.")], "All done."],
  [
    "thoughts and tools",
    [
      { type: "reasoning", text: "No." },
      { type: "tool-result", output: PROMISE },
    ],
    "",
  ],
  ["a part without a text", [text(undefined), null, "loose"], ""],
  ["no text", 7, undefined],
])("reads %s", (_name, content, said) => {
  expect(messagesIn([{ role: "assistant", content }, null, "nothing"])).toEqual([{ role: "assistant", content: said }]);
});

test("only the assistant's text can claim, also in parts", async () => {
  const claims = (role: string, type: string) =>
    detectInMessages([{ role, content: [{ type, text: PROMISE }] }], "DONE");
  expect(await claims("assistant", "text")).toBe(true);
  expect(await claims("user", "text")).toBe(false);
  expect(await claims("assistant", "reasoning")).toBe(false);
});

test("anything but a list of messages is refused", () => {
  expect(() => messagesIn(Object({ messages: [] }))).toThrow("did not return a list");
});
