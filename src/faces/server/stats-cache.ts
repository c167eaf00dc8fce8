import { parseDuration } from "../../core/duration.ts";
import type { Stats } from "../../core/stats/stats.ts";
import type { Workspace } from "../../core/workspace.ts";
import { gatherStats } from "../../runtime/gather-stats.ts";

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

/** Statistics read every journal: those that are asked for again are read once until something is written. */
export function statsCache(workspace: Workspace): StatsOf {
  const kept = new Map<string, { at: number; madeMs: number; answer: Promise<StatsAnswer> }>();
  return async (asked) => {
    const key = JSON.stringify([asked.task, asked.spec, asked.since]);
    const at = await workspace.feed.last();
    const known = kept.get(key);
    if (known?.at === at && Date.now() - known.madeMs < FRESH_MS) return known.answer;
    const answer = read(workspace, asked, at);
    kept.delete(key);
    kept.set(key, { at, madeMs: Date.now(), answer });
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_KEPT))) kept.delete(old);
    // One that failed is read again.
    answer.catch(() => kept.delete(key));
    return answer;
  };
}

async function read(workspace: Workspace, { task, spec, since }: StatsAsked, at: number): Promise<StatsAnswer> {
  const sinceMs = since === undefined ? undefined : Math.max(0, Date.now() - (parseDuration(since) ?? 0));
  const stats = await gatherStats(workspace, {
    ...(task === undefined ? {} : { task }),
    ...(spec === undefined ? {} : { spec }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  });
  const from = sinceMs === undefined ? null : new Date(sinceMs).toISOString();
  return { at, task: task ?? null, spec: spec ?? null, since: from, ...stats };
}
