/** Whether there are enough; none is always available. */
export const isAvailable = (stock, quantity) => quantity == 0 || stock >= quantity;
