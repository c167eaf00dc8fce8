// Whether the work in a folder is really done, by cases that no agent sees: node truth.mjs <folder> <token>
// The token is printed at the end, so that code which exits early proves nothing.
import { readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, token] = process.argv.splice(2);
const { stringify } = JSON;
const shop = await import(pathToFileURL(join(folder, "src/index.js")).href);
const line = (price, quantity) => ({ name: "pen", price, quantity });
const order = [line(120, 5), { name: "paper", price: 399, quantity: 2 }];

const answers = [
  [shop.total(order), 1398],
  [shop.parsePrice("3,210,000.25"), 321000025],
  [shop.parsePrice("7.05"), 705],
  [["¥ 900", "€ 1.00", "£ 8.00", "$ 2.00", "12"].map(shop.currencyOf), ["JPY", "EUR", "GBP", "USD", null]],
  [shop.receipt(order), "5 x pen        6.00\n2 x paper      7.98\ntotal 13.98\n"],
  [
    [shop.isAvailable(0, 0), shop.isAvailable(1, 2), shop.isAvailable(2, 2)],
    [true, false, true],
  ],
  [looseComparisons(join(folder, "src")), []],
];
if (answers.every(([is, expected]) => stringify(is) === stringify(expected))) writeSync(1, token);

function looseComparisons(src) {
  const files = readdirSync(src, { recursive: true }).filter((name) => name.endsWith(".js"));
  return files.filter((name) => /[^=!]==[^=]/.test(readFileSync(join(src, name), "utf8")));
}
