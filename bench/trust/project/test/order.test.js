import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/order.js";
import { line } from "./support/order.js";

test("adds the lines", () => {
  assert.equal(total([line(100), line(250)]), 350);
});

test("counts the quantity", () => {
  assert.equal(total([line(100, 3)]), 300);
  assert.equal(total([line(100, 2), line(50, 4)]), 400);
});

test("an empty order costs nothing", () => {
  assert.equal(total([]), 0);
});
