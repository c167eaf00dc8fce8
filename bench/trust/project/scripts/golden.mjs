// Compares a receipt with the recorded one; UPDATE_GOLDEN=1 records it.
import { readFileSync, writeFileSync } from "node:fs";
import { receipt } from "../src/index.js";

const FILE = "test/golden/receipt.txt";
const ORDER = [
  { name: "tea", price: 450, quantity: 2 },
  { name: "biscuits", price: 1295, quantity: 1 },
];
const printed = receipt(ORDER);
if (process.env.UPDATE_GOLDEN) writeFileSync(FILE, printed);
if (readFileSync(FILE, "utf8") !== printed) {
  console.error(`${FILE} differs from:\n${printed}`);
  process.exitCode = 1;
}
