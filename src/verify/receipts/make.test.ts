import fc from "fast-check";
import { expect, test } from "vitest";
import { someReceipt } from "../../../test/support/receipts.ts";
import { provedBy, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import { receiptDigest } from "./make.ts";

const draft = JSON.parse(
  JSON.stringify(
    await someReceipt({
      spec: someSpec({ proof: provedBy(["npm test"], { acceptance: ["one"] }), guardrails: [someGuardrail()] }),
      fingerprints: { "check.sh": "abc" },
      verdict: {
        checks: [
          { name: "npm test", command: "npm test", is: "pass", code: 0, reason: "", excerpt: "", log: null, ms: 1 },
        ],
      },
    }),
  ),
);

type Path = readonly string[];
const placesIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === "object" && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))]
    : [path];

/** The value with the part at a path replaced; undefined removes it. */
function changed(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? changed(item, rest, by) : item));
  const members = Object.entries(value as object);
  return Object.fromEntries(members.map(([name, member]) => [name, name === key ? changed(member, rest, by) : member]));
}

test("the order of keys and the digest itself do not matter", () => {
  const reversed = Object.fromEntries(Object.entries(draft).reverse());
  expect(receiptDigest({ ...reversed, digest: "sha256:x" })).toBe(receiptDigest(draft));
});

test("any change, removal or addition in it is detected", () => {
  const places = placesIn(draft).slice(1);
  expect(places.length).toBeGreaterThan(60);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue(), (path, by) => {
      const tampered = changed(draft, path, by);
      fc.pre(JSON.stringify(tampered) !== JSON.stringify(draft));
      // A list or map in another key order is the same JSON.
      fc.pre(JSON.stringify(by) !== "{}" && JSON.stringify(by) !== "[]");
      return receiptDigest(tampered as object) !== receiptDigest(draft);
    }),
    { numRuns: 1_000 },
  );
  for (const path of places) {
    const gone = JSON.stringify(changed(draft, path, undefined));
    if (gone !== JSON.stringify(draft)) expect(receiptDigest(JSON.parse(gone))).not.toBe(receiptDigest(draft));
  }
  expect(receiptDigest({ ...draft, novelty: 1 })).not.toBe(receiptDigest(draft));
});
