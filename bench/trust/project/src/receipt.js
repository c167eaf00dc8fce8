import { formatCents } from "./format.js";
import { total } from "./order.js";

/** One line for each line of the order, with names padded to ten characters, and the total. */
export function receipt(lines) {
  const rows = lines.map(({ name, price, quantity }) => `${quantity} x ${name} ${formatCents(price * quantity)}`);
  return `${[...rows, `total ${formatCents(total(lines))}`].join("\n")}\n`;
}
