import type { Feed } from "../../core/feed.ts";
import { Refusal } from "./refusal.ts";

/** Clients that follow the journal. They share one poll of it. */
export interface EventHub {
  clients(): number;
  /** Adds a client; throws if there are too many, in all or of this owner. Returns a function that removes it. */
  enter(owner?: StreamOwner): () => void;
  /** Resolves when there is an entry after that id, after `waitMs`, or when the signal is aborted. */
  news(after: number, waitMs: number, quit: AbortSignal): Promise<void>;
}

/** A session, or all of a kind: agents may have the token, so programs share their places as viewers do. */
export type StreamOwner = object | "viewers" | "programs";

interface MostStreams {
  all: number;
  /** Of one browser, and of all viewers together. */
  one: number;
  /** Together with those of viewers, fewer than all: the others are left for browsers that are logged in. */
  programs: number;
}

const LOOK_MS = 100;
const MOST: MostStreams = { all: 64, one: 24, programs: 32 };

export function openEventHub(feed: Feed, most: MostStreams = MOST): EventHub {
  const waiting = new Set<{ after: number; wake(): void }>();
  const clients = new Set<{ owner: StreamOwner }>();
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
    enter(owner = "programs") {
      if (clients.size >= most.all) throw tooMany(most.all);
      const mostOfOwner = owner === "programs" ? most.programs : most.one;
      const client = { owner };
      if ([...clients].filter((other) => other.owner === owner).length >= mostOfOwner) throw tooMany(mostOfOwner);
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
