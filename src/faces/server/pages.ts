/** A page of a journal: so many entries, and where to go on; null: these were all so far. */
export async function readPage<Item extends { seq: number }>(
  items: AsyncIterable<Item>,
  limit: number,
): Promise<{ entries: Item[]; next: number | null }> {
  const entries: Item[] = [];
  for await (const item of items) {
    if (entries.length === limit) return { entries, next: entries.at(-1)?.seq ?? null };
    entries.push(item);
  }
  return { entries, next: null };
}
