import { readFileSync } from "node:fs";
import { test } from "node:test";
import { currencyOf } from "#currency";
import { same } from "./support/same.js";

const recorded = JSON.parse(readFileSync(new URL("fixtures/currencies.json", import.meta.url), "utf8"));

const CASES = [
  ["$ 5.00", "USD"],
  ["€ 5.00", "EUR"],
  ["5.00", null],
];

for (const [price, code] of CASES)
  test(`the currency of ${price}`, () => {
    same(currencyOf(price), code);
  });

test("the recorded currencies", () => {
  for (const { price, code } of recorded) same(currencyOf(price), code);
});
