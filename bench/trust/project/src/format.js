/** Cents as text, such as "12.50". */
export const formatCents = (cents) => (cents / 100).toFixed(2);
