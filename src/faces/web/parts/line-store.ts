const CHUNK = 1_024;

/** Lines that only grow at the end. The oldest are left out beyond a limit; no array is copied for a new line. */
export interface LineStore<Item> {
  add(items: readonly Item[]): void;
  at(index: number): Item | undefined;
  size(): number;
  /** How many lines were left out before the first one. */
  dropped(): number;
  /** The indexes from `from` on of the lines that match. */
  matching(matches: (item: Item) => boolean, from?: number): number[];
  all(): IterableIterator<Item>;
}

export function lineStore<Item>(most = 200_000): LineStore<Item> {
  let chunks: Item[][] = [];
  let count = 0;
  let gone = 0;
  const at = (index: number): Item | undefined => chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  function addOne(item: Item): void {
    const last = chunks.at(-1);
    if (last && last.length < CHUNK) last.push(item);
    else chunks.push([item]);
    count++;
  }
  return {
    at,
    add(items) {
      for (const item of items) addOne(item);
      const excess = Math.floor(Math.max(0, count - most) / CHUNK);
      if (excess === 0) return;
      chunks = chunks.slice(excess);
      count -= excess * CHUNK;
      gone += excess * CHUNK;
    },
    size: () => count,
    dropped: () => gone,
    matching(matches, from = 0) {
      const found: number[] = [];
      for (let i = from; i < count; i++) {
        const item = at(i);
        if (item !== undefined && matches(item)) found.push(i);
      }
      return found;
    },
    *all() {
      for (const chunk of chunks) yield* chunk;
    },
  };
}
