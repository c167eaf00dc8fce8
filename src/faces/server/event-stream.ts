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
 * The feed as Server-Sent Events. A page is read only once the one before was taken, so that a slow reader holds one
 * page and no more. Whoever comes back with the last id goes on right after it.
 */
export async function* eventText(
  feed: Feed,
  hub: EventHub,
  { after, kinds, subject }: EventsWanted,
  quit: AbortSignal,
): AsyncGenerator<string> {
  const isWanted = (entry: FeedEntry) =>
    (!kinds || kinds.includes(entry.kind)) && (subject === null || entry.subject === subject);
  const last = await feed.last();
  // An id that is not there yet was given by a journal that is gone: what comes now is new.
  let at = Math.min(after ?? last, last);
  // An id without data moves a reader's place and is no event: whoever is cut off before the first one comes back here.
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
