import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

const priced = (...prices) => prices.map((price) => ({ price }));

test("adds up the prices", () => assert.equal(total(priced(20, 30)), 50));
test("takes ten percent off from 100 on", () => assert.equal(total(priced(60, 60)), 108));
test("an empty cart costs 0", () => assert.equal(total([]), 0));
