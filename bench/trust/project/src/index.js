export { currencyOf } from "./currency.js";
export { formatCents } from "./format.js";
export { averagePrice } from "./legacy.js";
export { total } from "./order.js";
export { parsePrice } from "./price.js";
export { receipt } from "./receipt.js";
export { isAvailable } from "./stock.js";
