import type { Feed } from "../../core/feed.ts";
import { Refusal } from "./refusal.ts";

/** Clients that follow the journal. They share one poll of it. */
export interface EventHub {
  clients(): number;
  /** Adds a client; throws if there are too many, in all or of this owner. Returns a function that removes it. */
  enter(owner?: object | string): () => void;
  /** Resolves when there is an entry after that id, after `waitMs`, or when the signal is aborted. */
  news(after: number, waitMs: number, quit: AbortSignal): Promise<void>;
}

const LOOK_MS = 100;
const MOST_CLIENTS = 64;
const MOST_OF_ONE = 24;

export function openEventHub(feed: Feed, mostClients = MOST_CLIENTS, mostOfOne = MOST_OF_ONE): EventHub {
  const waiting = new Set<{ after: number; wake(): void }>();
  const clients = new Set<{ owner: object | string | null }>();
  let isLooking = false;
  const look = async () => {
    // An error is ignored, because the journal is polled again.
    const last = await feed.last().catch(() => 0);
    for (const { after, wake } of [...waiting]) if (last > after) wake();
    isLooking = false;
    lookAgain();
  };
  const lookAgain = () => {
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    setTimeout(look, LOOK_MS);
  };
  return {
    clients: () => clients.size,
    enter(owner) {
      if (clients.size >= mostClients) throw tooMany(mostClients);
      const client = { owner: owner ?? null };
      const own = [...clients].filter((other) => client.owner !== null && other.owner === client.owner);
      if (own.length >= mostOfOne) throw tooMany(mostOfOne);
      clients.add(client);
      return () => void clients.delete(client);
    },
    news: (after, waitMs, quit) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          quit.removeEventListener("abort", wake);
          waiting.delete(waiter);
          resolve();
        };
        const waiter = { after, wake };
        const timer = setTimeout(wake, waitMs);
        waiting.add(waiter);
        quit.addEventListener("abort", wake);
        if (quit.aborted) wake();
        lookAgain();
      }),
  };
}

const tooMany = (most: number): Refusal =>
  new Refusal(503, "too-many-streams", `${most} streams are open already`, "close one, or try again later", {
    "retry-after": "5",
  });
