import { expect, test } from "vitest";
import * as z from "zod";
import { startSession } from "./api-session.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { strict } from "./messages.ts";

const settings = strict({ name: z.string().optional(), list: z.array(z.string()).optional() }, "settings");

function faultsIn(schema: z.ZodType, value: unknown): Fault[] {
  const { error } = schema.safeParse(value);
  return error ? faultsOf(error) : [];
}

const keyed = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 1]));

test.each<[string, unknown, number]>([
  ["very many unknown keys", keyed(5_000, "key"), 4_980],
  ["many long unknown keys", keyed(500, "k".repeat(800)), 480],
  ["many wrong values", { list: Array(3_000).fill(1) }, 2_980],
])("only the first faults are listed, each of limited length: %s", (_name, value, more) => {
  const faults = faultsIn(settings, value);
  expect(faults).toHaveLength(21);
  expect(faults.at(-1)?.text).toBe(`and ${more} more`);
  expect(faults.map(({ text }) => text).join("").length).toBeLessThan(30_000);
});

test("the body of a login names its faults as briefly", () => {
  const faults = faultsIn(startSession.body as z.ZodType, keyed(500, "k".repeat(800)));
  expect(faults.map(({ text }) => text).join("").length).toBeLessThan(30_000);
});

test("a long key is shortened in every place, and is no misspelling", () => {
  const [fault] = faultsIn(settings, { [`name${"e".repeat(100_000)}`]: 1 });
  expect(fault?.text.length).toBeLessThan(1_000);
  expect(fault?.text).toContain("expected one of name, list");
});

test("few faults are all told", () => {
  expect(faultsIn(settings, { nmae: "x", list: [1] }).map(({ text }) => text)).toEqual([
    "list[0]: Invalid input: expected string, received number",
    'nmae: unknown key "nmae", did you mean "name"?',
  ]);
});
