import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrice } from "../src/price.js";

test("reads a price", () => {
  assert.equal(parsePrice("12.50"), 1250);
  assert.equal(parsePrice("0.99"), 99);
});

test("reads thousands", () => {
  assert.equal(parsePrice("1,234.50"), 123450);
  assert.equal(parsePrice("12,000.00"), 1200000);
});

test("refuses words", () => {
  assert.ok(Number.isNaN(parsePrice("free")));
});
