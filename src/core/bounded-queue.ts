/** Messages that are delivered one after the other, without delaying the work. */
export interface TellQueue<Item> {
  /** Those on their way or waiting for their turn. */
  readonly pending: number;
  readonly dropped: number;
  add(item: Item): void;
  /** Leaves out what waits and is named so. */
  drop(isNamed: (item: Item) => boolean): void;
  /** Resolves once nothing is pending. */
  idle(): Promise<void>;
}

interface TellQueueRequest<Item> {
  /** Never throws and deals with its failures itself. */
  tell(item: Item): Promise<void>;
  /** When more wait, the oldest minor one is left out; where none is minor, the oldest of all. */
  most: number;
  isMinor(item: Item): boolean;
  /** Called for each that is left out. */
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
  const leaveOut = (items: readonly Item[]) => {
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
      if (waiting.length > most) leaveOut(waiting.splice(Math.max(0, waiting.findIndex(isMinor)), 1));
      working ??= work();
    },
    drop: (isNamed) => leaveOut(waiting.filter(isNamed)),
    idle: async () => {
      await working;
    },
  };
}
