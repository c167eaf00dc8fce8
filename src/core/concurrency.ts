/** Consecutive parallel items form a group; every other item is its own group. */
export function groupsOf<Item extends { parallel: boolean }>(
  items: readonly Item[],
): { item: Item; place: number }[][] {
  const groups: { item: Item; place: number }[][] = [];
  for (const [place, item] of items.entries()) {
    const beside = item.parallel && items[place - 1]?.parallel ? groups.at(-1) : undefined;
    if (beside) beside.push({ item, place });
    else groups.push([{ item, place }]);
  }
  return groups;
}

/**
 * Runs a limited number of items at once; returns the results in the order of the items, or null if one has none.
 * Returns or throws only when no item is running any more.
 */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result | null>,
): Promise<Result[] | null> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, item] = next;
      const result = await work(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      if (result === null) left.length = 0;
      else results[i] = result;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, worker));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return Object.keys(results).length === items.length ? results : null;
}

/** Limits how many jobs run at once, across all callers. */
export function limiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
