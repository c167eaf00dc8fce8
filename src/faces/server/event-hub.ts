import type { Feed } from "../../core/feed.ts";
import { Refusal } from "./refusal.ts";

/** Clients that follow the journal. They share one poll of it. */
export interface EventHub {
  clients(): number;
  /** Adds a client; throws if there are too many. Returns a function that removes it. */
  enter(): () => void;
  /** Resolves when there is an entry after that id, after `waitMs`, or when the signal is aborted. */
  news(after: number, waitMs: number, quit: AbortSignal): Promise<void>;
}

const LOOK_MS = 100;
const MOST_CLIENTS = 64;

export function openEventHub(feed: Feed, mostClients = MOST_CLIENTS): EventHub {
  const waiting = new Set<{ after: number; wake(): void }>();
  let clients = 0;
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
    clients: () => clients,
    enter() {
      if (clients >= mostClients) throw tooMany(mostClients);
      clients++;
      let isIn = true;
      return () => {
        if (isIn) clients--;
        isIn = false;
      };
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
