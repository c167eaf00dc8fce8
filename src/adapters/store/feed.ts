import type { Feed, FeedEntry, News } from "../../core/feed.ts";
import { loopKind } from "../../core/loop/kind.ts";
import { taskKind } from "../../core/task/kind.ts";
import { runKind } from "../../core/workflow/kind.ts";
import type { Message } from "../../core/workflow/store.ts";
import { translating } from "./driver.ts";
import { eventIn } from "./entry-rows.ts";
import { JOURNAL, type Prepare } from "./statements.ts";

/** Readers request further pages: a page must fit into memory, and events can be long. */
const LONGEST_PAGE = 1_000;

/** SQLite has one writer at a time, so entries become visible in the order of their ids. */
const SQL = {
  after: `SELECT f.id, f.subject, f.seq, f.at_ms, e.event, m.role, m.content, m.run
    FROM feed f LEFT JOIN entries e ON e.subject = f.subject AND e.seq = f.seq
      LEFT JOIN messages m ON f.subject >= 'message/' AND f.subject < 'message0' AND m.id = f.seq
    WHERE f.id > :after ORDER BY f.id LIMIT :limit`,
  last: "SELECT max(id) AS id FROM feed",
} as const;

interface FeedRow extends Omit<Message, "atMs"> {
  subject: string;
  seq: number;
  at_ms: number;
  /** Null for a message, which is a row and not an event. */
  event: string | null;
}

export function feedOn(sql: Prepare, patient: <T>(work: () => T) => Promise<T>): Feed {
  return {
    after: (id, limit) =>
      patient(() => {
        for (let after = id; ; ) {
          const found = sql(SQL.after).all({ after, limit: Math.min(limit, LONGEST_PAGE) });
          const rows = found as unknown as FeedRow[];
          const entries = rows.flatMap((row) => entryOf(row) ?? []);
          const last = rows.at(-1);
          if (entries.length > 0 || !last) return entries;
          after = last.id;
        }
      }),
    last: () => patient(() => Number(sql(SQL.last).get()?.id ?? 0)),
  };
}

/** Null if an entry is gone or cannot be read. */
function entryOf(row: FeedRow): FeedEntry | null {
  const slash = row.subject.indexOf("/");
  const [kind, subject] =
    slash < 0 ? ["loop", row.subject] : [row.subject.slice(0, slash), row.subject.slice(slash + 1)];
  const { id, seq, at_ms: atMs, role, content, run } = row;
  const place = { id, subject, seq, atMs };
  if (kind === "message") return { ...place, kind, event: { id: seq, role, content, atMs, run } };
  if (kind === "task") return withEvent({ ...place, kind }, eventIn(taskKind, row.event));
  if (kind === "run") return withEvent({ ...place, kind }, eventIn(runKind, row.event));
  return withEvent({ ...place, kind: "loop" }, eventIn(loopKind, row.event));
}

const withEvent = <Place, Event>(place: Place, read: { event: Event } | { wrong: string }) =>
  "event" in read ? { ...place, event: read.event } : null;

/** How often to ask SQLite whether another connection has written. This takes microseconds. */
const LOOK_MS = 200;

/** Notifies listeners of writes by other connections. All listeners share one timer. */
export function newsOn(sql: Prepare, path: string): News {
  const listeners = new Map<object, { seen: string | null; call(): void }>();
  let looking: ReturnType<typeof setInterval> | null = null;
  const revision = () => translating(path, () => String(sql(JOURNAL.dataVersion).get()?.data_version));

  function look(): void {
    let now: string;
    try {
      now = revision();
    } catch {
      // Tried again at the next tick; writers report what is wrong with the database.
      return;
    }
    for (const listener of listeners.values()) {
      if (listener.seen === now) continue;
      listener.seen = now;
      listener.call();
    }
  }

  return {
    revision: async () => revision(),
    listen(call) {
      const key = {};
      listeners.set(key, { seen: null, call });
      looking ??= setInterval(look, LOOK_MS).unref();
      return {
        close() {
          listeners.delete(key);
          if (listeners.size > 0 || !looking) return;
          clearInterval(looking);
          looking = null;
        },
      };
    },
  };
}
