import type { LoopEvent } from "./loop/events.ts";
import type { TaskEvent } from "./task/events.ts";
import type { RunEvent } from "./workflow/events.ts";
import type { Message } from "./workflow/store.ts";

interface FeedPlace {
  /** Increases with every entry; some numbers may be missing. */
  id: number;
  /** The loop, the task, the run, or the conversation as `platform:id`. */
  subject: string;
  /** Its position in the journal of the subject; the id of a message. */
  seq: number;
  atMs: number;
}

/** One event of any journal, in the order in which it became durable. */
export type FeedEntry = FeedPlace &
  (
    | { kind: "loop"; event: LoopEvent }
    | { kind: "task"; event: TaskEvent }
    | { kind: "run"; event: RunEvent }
    | { kind: "message"; event: Message }
  );

/**
 * All journals as one stream. Ids are assigned when entries become visible, in increasing order: a reader that asks for
 * the entries after the last id it saw misses nothing, however many processes write. The entries of a removed task are
 * not in the stream.
 */
export interface Feed {
  /** At most `limit` entries, and never more than 1,000. */
  after(id: number, limit: number): Promise<FeedEntry[]>;
  /** The id of the last entry; 0 if there are no entries. Cheap enough to read a few times a second. */
  last(): Promise<number>;
}

/** Notification of writes by other connections. */
export interface News {
  /**
   * Calls back soon after another connection writes, and once at the start; calls may be coalesced. Does not keep the
   * process alive.
   */
  listen(listener: () => void): { close(): void };
  /** Changes whenever another connection writes. Cheap enough to read before every decision. */
  revision(): Promise<string>;
}
