import assert from "node:assert/strict";
import { test } from "node:test";
import { averagePrice } from "../src/legacy.js";

test("averages prices", () => {
  assert.equal(averagePrice([100, 300]), 200);
});
