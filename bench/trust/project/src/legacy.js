/** Not used any more. */
export const averagePrice = (prices) => prices.reduce((sum, price) => sum + price, 0) / prices.length;
