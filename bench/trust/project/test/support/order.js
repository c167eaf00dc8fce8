export const line = (price, quantity = 1) => ({ name: "thing", price, quantity });
