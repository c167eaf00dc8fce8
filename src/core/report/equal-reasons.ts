interface Reasoned {
  id: string;
  why: string;
}

/** Items with the same reason, in the order of the first ones. */
export interface EqualReasons<Item extends Reasoned> {
  why: string;
  items: Item[];
}

/** Groups by reason, in each by id. Reasons that differ only in the item's own id are the same. */
export function equalReasons<Item extends Reasoned>(items: readonly Item[]): EqualReasons<Item>[] {
  const groups = new Map<string, EqualReasons<Item>>();
  for (const item of items) {
    const key = item.why.replaceAll(item.id, "…");
    const known = groups.get(key);
    if (known) {
      known.items.push(item);
      known.why = key;
    } else groups.set(key, { why: item.why, items: [item] });
  }
  return [...groups.values()].map(({ why, items }) => ({ why, items: items.sort(byId) }));
}

const byId = (a: Reasoned, b: Reasoned): number => a.id.localeCompare(b.id, "en", { numeric: true });
