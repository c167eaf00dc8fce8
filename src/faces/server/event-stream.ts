import { shownEntry } from "../../core/redact.ts";
import type { Feed, FeedEntry } from "../../core/workflow/store.ts";
import type { EventHub } from "./event-hub.ts";

interface EventsWanted {
  /** Null: from now. */
  after: number | null;
  kinds: readonly string[] | null;
  subject: string | null;
}

const PAGE = 50;
const HEARTBEAT_MS = 15_000;
/** How soon a client that lost its stream comes back. */
const RETRY_MS = 2_000;

/**
 * The feed as Server-Sent Events. A page is read only after the one before was consumed, so that a slow reader keeps one
 * page and no more. A client that reconnects with the last id continues right after it.
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
  // An id from the future belongs to a journal that is gone: everything from now on is new.
  let at = Math.min(after ?? last, last);
  // An id without data moves a reader's position and is not an event: a client that is cut off before the first one resumes here.
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
  yield `retry: ${RETRY_MS}\n: the server stops\n\n`;
}

/** JSON has no line breaks of its own, so that an event is one line of data. */
const entryText = (entry: FeedEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(shownEntry(entry))}\n\n`;
