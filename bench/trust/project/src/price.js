/** The cents of a price such as "1,234.50"; NaN for anything else. */
export function parsePrice(text) {
  return Math.round(Number.parseFloat(text) * 100);
}
