import { parseDuration } from "../../core/duration.ts";
import type { Stats } from "../../core/stats/stats.ts";
import type { Workspace } from "../../core/workspace.ts";
import { gatherStats, type StatsQuery } from "../../runtime/gather-stats.ts";

interface StatsAsked {
  task?: string | undefined;
  spec?: string | undefined;
  /** A duration. */
  since?: string | undefined;
}

type StatsAnswer = Stats & { at: number; task: string | null; spec: string | null; since: string | null };

export type StatsOf = (asked: StatsAsked) => Promise<StatsAnswer>;

const MOST_KEPT = 10;
/** A period that moves on is only read again after this time. */
const FRESH_MS = 60_000;

interface StatsSource {
  /** The last entry of the feed. */
  last(): Promise<number>;
  /** Changes also with what the feed does not have, such as the title of a task. */
  revision(): Promise<string>;
  gather(query: StatsQuery): Promise<Stats>;
  now(): number;
}

const sourceIn = (workspace: Workspace): StatsSource => ({
  last: () => workspace.feed.last(),
  revision: () => workspace.news.revision(),
  gather: (query) => gatherStats(workspace, query),
  now: Date.now,
});

/** Statistics read every journal: those that are asked for again are read once until something is written. */
export const statsCache = (workspace: Workspace): StatsOf => cachedStats(sourceIn(workspace));

export function cachedStats(source: StatsSource): StatsOf {
  const kept = new Map<string, { seen: string; madeMs: number; answer: Promise<StatsAnswer> }>();
  return async (asked) => {
    const key = JSON.stringify([asked.task, asked.spec, asked.since]);
    const at = await source.last();
    const seen = `${at} ${await source.revision()}`;
    const known = kept.get(key);
    const isFresh = known && (asked.since === undefined || source.now() - known.madeMs < FRESH_MS);
    if (isFresh && known.seen === seen) return known.answer;
    const answer = read(source, asked, at);
    kept.delete(key);
    kept.set(key, { seen, madeMs: source.now(), answer });
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_KEPT))) kept.delete(old);
    // One that failed is read again; a newer one may have taken its place.
    answer.catch(() => kept.get(key)?.answer === answer && kept.delete(key));
    return answer;
  };
}

async function read(source: StatsSource, { task, spec, since }: StatsAsked, at: number): Promise<StatsAnswer> {
  const sinceMs = since === undefined ? undefined : Math.max(0, source.now() - (parseDuration(since) ?? 0));
  const stats = await source.gather({
    ...(task === undefined ? {} : { task }),
    ...(spec === undefined ? {} : { spec }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  });
  const from = sinceMs === undefined ? null : new Date(sinceMs).toISOString();
  return { at, task: task ?? null, spec: spec ?? null, since: from, ...stats };
}
