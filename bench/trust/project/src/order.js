/** The total of an order in cents: every line has a price and a quantity. */
export function total(lines) {
  let sum = 0;
  for (const { price } of lines) sum += price;
  return sum;
}
