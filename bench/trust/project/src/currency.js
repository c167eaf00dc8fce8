// $ is USD, € is EUR, £ is GBP, ¥ is JPY.
const CODES = { $: "USD" };

/** The ISO code of the sign that a price begins with, or null. */
export function currencyOf(text) {
  return CODES[text[0]] ?? null;
}
