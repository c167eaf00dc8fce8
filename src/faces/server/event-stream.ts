import type { Feed, FeedEntry } from "../../core/feed.ts";
import { shownEntry } from "../../core/redact.ts";
import type { EventHub } from "./event-hub.ts";

interface EventsWanted {
  /** Null: from now. */
  after: number | null;
  kinds: readonly string[] | null;
  subject: string | null;
}

const PAGE = 50;
const HEARTBEAT_MS = 15_000;
/** How soon a disconnected client reconnects. */
const RETRY_MS = 2_000;

/**
 * The feed as Server-Sent Events. A page is read only after the previous one was consumed, so a slow client keeps at
 * most one page in memory. A client that reconnects with the last id continues right after it.
 */
export async function* eventText(
  feed: Feed,
  hub: EventHub,
  { after, kinds, subject }: EventsWanted,
  quit: AbortSignal,
) {
  const isWanted = (entry: FeedEntry) =>
    (!kinds || kinds.includes(entry.kind)) && (subject === null || entry.subject === subject);
  const last = await feed.last();
  // A later id belongs to a journal that was removed, so the stream starts at the current end.
  let at = Math.min(after ?? last, last);
  // An id without data is not an event, but a client that disconnects before the first event resumes here.
  yield `retry: ${RETRY_MS}\nid: ${at}\n\n`;
  while (!quit.aborted) {
    const page = await feed.after(at, PAGE);
    const last = page.at(-1);
    if (last) {
      at = last.id;
      yield page.filter(isWanted).map(entryText).join("") + (isWanted(last) ? "" : `id: ${at}\n\n`);
      continue;
    }
    const sinceMs = Date.now();
    await hub.news(at, HEARTBEAT_MS, quit);
    if (Date.now() - sinceMs >= HEARTBEAT_MS) yield ": still here\n\n";
  }
  yield `retry: ${RETRY_MS}\n: the server is stopping\n\n`;
}

/** JSON contains no line breaks, so an event is one line of data. */
const entryText = (entry: FeedEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(shownEntry(entry))}\n\n`;
