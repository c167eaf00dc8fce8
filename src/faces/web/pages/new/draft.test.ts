import { expect, test } from "vitest";
import { type Draft, draftIn, NEW_DRAFT } from "./draft.ts";

const TYPED: Draft = {
  ...NEW_DRAFT,
  title: "Add a discount",
  criteria: [
    { text: "The total is lower", check: "npm test" },
    { text: "It is shown", check: "" },
  ],
};
const { qa: _, ...withoutQa } = NEW_DRAFT.agents;
const withCoder = (coder: unknown) => ({ ...TYPED, agents: { ...TYPED.agents, coder } });

test("a draft is kept as it was typed", () => {
  expect(draftIn(JSON.stringify(TYPED))).toEqual(TYPED);
});

test.each<[string, string | null]>([
  ["nothing was kept", null],
  ["damaged text", '{"title":'],
  ["no object", "7"],
  ["an older page without a role", JSON.stringify({ ...TYPED, agents: withoutQa })],
  ["an older page without a field", JSON.stringify({ title: "Add a discount" })],
  ["a role without its fields", JSON.stringify(withCoder({ method: "external" }))],
  ["a method that is not one", JSON.stringify(withCoder({ ...TYPED.agents.coder, method: "toString" }))],
  ["a list that is none", JSON.stringify({ ...TYPED, criteria: { length: 1 } })],
  ["criteria that are no texts", JSON.stringify({ ...TYPED, criteria: [{ text: 7, check: null }] })],
])("a draft that cannot be shown is a new one: %s", (_name, text) => {
  expect(draftIn(text)).toEqual(NEW_DRAFT);
});
