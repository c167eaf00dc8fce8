import { showHealth, showStats, showStatus, streamEvents } from "../../../core/schema/api-rest.ts";
import { VERSION } from "../../../core/version.ts";
import { withHolders, withRunHolders } from "../../../engine/named.ts";
import { eventText } from "../event-stream.ts";
import { Refusal } from "../refusal.ts";
import { streamed } from "../response-stream.ts";
import { type Route, route } from "../route.ts";

const SHOWN = 50;

/** The server itself, and the stream of all events. */
export const restRoutes: readonly Route[] = [
  route(showStatus, async ({ context }) => {
    const { workspace, chat, events, platforms, maxParallel, startedAtMs } = context;
    const { store, runs, tasks, feed } = workspace;
    return {
      version: VERSION,
      repository: workspace.cwd,
      startedAt: new Date(startedAtMs).toISOString(),
      maxParallel,
      running: chat.running(),
      platforms,
      events: { last: await feed.last(), clients: events.clients() },
      tasks: await tasks.counts(),
      runs: await runs.counts(),
      active: {
        loops: await withHolders(workspace, await store.summaries({ active: true, limit: SHOWN })),
        runs: await withRunHolders(workspace, await runs.list({ status: ["running", "queued"], limit: SHOWN })),
      },
    };
  }),
  route(showStats, async ({ context: { stats }, query }) => stats(query)),
  route(showHealth, async () => ({ ok: true as const })),
  route(streamEvents, async ({ context: { workspace, events, closing, log }, query, headers, cut }) => {
    const after = lastEventId(headers) ?? query.after ?? null;
    const wanted = { after, kinds: query.kind ?? null, subject: query.subject ?? null };
    const done = events.enter();
    return streamed({ media: "text/event-stream", closing, log, cut, done }, (quit) =>
      eventText(workspace.feed, events, wanted, quit),
    );
  }),
];

function lastEventId(headers: Headers): number | null {
  const given = headers.get("last-event-id");
  if (given === null || given === "") return null;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Refusal(400, "bad-request", "Last-Event-ID: expected the id of an event", "omit it to start now");
}
