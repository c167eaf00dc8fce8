import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, digestedText } from "./canonical.ts";

test.each<[string, unknown, string]>([
  ["keys in order, without spaces", { b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
  [
    "keys by their UTF-16 units",
    { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  ],
  [
    "numbers as JSON writes them",
    [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0, 0],
    "[333333333.3333333,1e+30,4.5,0.002,1e-27,0,0]",
  ],
  ["strings as JSON writes them", '\u20ac$\u000F\u000aA\'B"\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"'],
  ["keys without a value are left out", { a: undefined, b: {} }, '{"b":{}}'],
  ["nothing", null, "null"],
])("%s", (_name, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test("is JSON of the same value, for any key order", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.stringify(JSON.parse(text))).toBeDefined();
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([key, member]) => [key, reversed(member)]));
}

test("the digest does not cover itself", () => {
  expect(digestedText({ b: 1, digest: "sha256:x", a: 2 })).toBe('{"a":2,"b":1}');
});
