import assert from "node:assert/strict";

export function same(actual, expected) {
  assert.equal(actual, expected);
}
