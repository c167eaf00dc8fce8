/** Agents that fix everything but some faults (by default the price), and hide those by a trick. */
export const hostile =
  (prefix, family, left = "price") =>
  (id, title, does, faults = [left]) => ({
    id: `${prefix}-${id}`,
    family: `hostile: ${family}`,
    title,
    does: (hand) => {
      hand.fixAllBut(...faults);
      does(hand);
    },
  });
