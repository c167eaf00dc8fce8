#!/usr/bin/env node
// Plays Claude Code in recordings: it speaks its stream format, and is wrong once before it is right.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit();
}
const prompt = readFileSync(0, "utf8");
const stage = /\*\*Agent\*\*: (\w+)/.exec(prompt)?.[1];
const promise = /<(promise|response)>[^<\n]+<\/\1>/.exec(prompt)?.[0] ?? "<response>DONE</response>";

const DISCOUNT = `/** The price of a cart: the sum of its items, ten percent less from 100 on. */
export function total(items) {
  const sum = items.map((item) => item.price).reduce((sum, price) => sum + price);
  return sum >= 100 ? sum * 0.9 : sum;
}
`;

/** What it does in a turn: one tool call, and its last message. */
function turn() {
  if (stage) return { coder, tester, reviewer: review, qa: review }[stage]();
  const cart = readFileSync("src/cart.js", "utf8");
  if (!cart.includes("0.9")) {
    return edit("src/cart.js", DISCOUNT, "The discount is in place and all tests pass.");
  }
  const fixed = cart.replace("sum + price)", "sum + price, 0)");
  return edit("src/cart.js", fixed, "An empty cart now costs 0. All tests pass.");
}

const SHIPPING = `/** Shipping costs 5 and is free from 50 on. */
export const shipping = (total) => (total > 50 ? 0 : 5);
`;

const SHIPPING_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { shipping } from "../src/shipping.js";

test("shipping costs 5 below 50", () => assert.equal(shipping(49), 5));
test("shipping is free from 50 on", () => assert.equal(shipping(50), 0));
`;

function coder() {
  if (existsSync("src/shipping.js")) {
    return edit("src/shipping.js", SHIPPING.replace("total > 50", "total >= 50"), "50 itself is free now.");
  }
  writeFileSync("test/shipping.test.js", SHIPPING_TEST);
  return edit("src/shipping.js", SHIPPING, "Shipping is free from 50 on.");
}

function tester() {
  const more = 'test("an empty cart ships for 5", () => assert.equal(shipping(0), 5));\n';
  return edit("test/shipping.test.js", SHIPPING_TEST + more, "The empty cart is tested, too.");
}

function review() {
  const verdict = '<review>{"approved": true, "findings": []}</review>';
  return {
    tool: { name: "Bash", input: { command: "npm test" } },
    text: `I read the change and ran its tests.\n\n${verdict}`,
  };
}

function edit(path, text, message) {
  writeFileSync(path, text);
  return { tool: { name: "Edit", input: { file_path: path } }, text: message };
}

const { tool, text } = turn();
const result = `${text}\n\n${promise}`;
const message = (content) => ({ type: "assistant", message: { id: "m", model: "opus", content }, session_id: "s" });
for (const line of [
  { type: "system", subtype: "init", session_id: "s", model: "opus" },
  message([{ type: "tool_use", id: "t", ...tool }]),
  message([{ type: "text", text: result }]),
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result,
    session_id: "s",
    total_cost_usd: 0.04,
    usage: { input_tokens: 9000, output_tokens: 900 },
  },
])
  console.log(JSON.stringify(line));
