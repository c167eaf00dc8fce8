/** A queue of messages, delivered one after the other without delaying the work. */
export interface TellQueue<Item> {
  /** The number of messages being sent or waiting. */
  readonly pending: number;
  readonly dropped: number;
  add(item: Item): void;
  /** Drops the waiting messages that match. */
  drop(isNamed: (item: Item) => boolean): void;
  /** Resolves once nothing is pending. */
  idle(): Promise<void>;
}

interface TellQueueRequest<Item> {
  /** Must not throw; it handles its own failures. */
  tell(item: Item): Promise<void>;
  /** If more messages wait, the oldest minor one is dropped; if none is minor, the oldest of all. */
  most: number;
  isMinor(item: Item): boolean;
  /** Called for each dropped message. */
  onDrop?(item: Item): void;
}

export function tellQueue<Item>({ tell, most, isMinor, onDrop }: TellQueueRequest<Item>): TellQueue<Item> {
  let waiting: Item[] = [];
  let dropped = 0;
  let working: Promise<void> | null = null;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tell(next);
    working = null;
  };
  const dropItems = (items: readonly Item[]) => {
    const out = new Set(items);
    waiting = waiting.filter((item) => !out.has(item));
    dropped += items.length;
    for (const item of items) onDrop?.(item);
  };
  return {
    get pending() {
      return waiting.length + (working ? 1 : 0);
    },
    get dropped() {
      return dropped;
    },
    add(item) {
      waiting.push(item);
      if (waiting.length > most) dropItems(waiting.splice(Math.max(0, waiting.findIndex(isMinor)), 1));
      working ??= work();
    },
    drop: (isNamed) => dropItems(waiting.filter(isNamed)),
    idle: async () => {
      await working;
    },
  };
}
