import type { Workspace } from "../../../adapters/store/workspace.ts";
import { type Reached, type Replayed, type ReplayLimits, reachedBy, replay } from "../../../core/backtest.ts";
import { type AgentHistory, historiesOf, type PastLoop } from "../../../core/history.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { isLevel } from "../../../core/proof/level.ts";
import type { LoopRole } from "../../../core/task/role.ts";

/** A loop of the past, and what other limits would have made of it. */
export interface BacktestRow extends Pick<Replayed, "replay" | "blind"> {
  id: string;
  title: string;
  agent: string;
  /** The part of a task that it worked on; null for a loop of its own. */
  place: LoopRole | null;
  reason: StopReason;
  reached: Reached;
}

export interface Backtest {
  limits: ReplayLimits;
  loops: BacktestRow[];
  running: string[];
  agents: AgentHistory[];
  /** The same by the part of tasks that loops worked on. */
  places: PlaceHistory[];
}

/** What the loops of one part of tasks say about how many iterations one needs. */
interface PlaceHistory extends Omit<AgentHistory, "agent"> {
  place: string;
}

/** Replays the loops of this repository, or those that are named, against other limits. */
export async function backtest(
  { store }: Workspace,
  wanted: readonly string[],
  limits: ReplayLimits,
): Promise<Backtest> {
  const found = wanted.length > 0 ? await Promise.all(wanted.map((id) => store.find(id))) : await store.summaries();
  const summaries = [...new Map(found.map((loop) => [loop.id, loop])).values()];
  const rows: BacktestRow[] = [];
  // One after the other: a single loop is in memory at a time.
  for (const { id, title, part, reason } of summaries.filter(hasStopped)) {
    // A damaged journal is skipped; `ralph doctor` reports it.
    if ((await store.check(id)).damage) continue;
    const { replay: made, end, blind } = await replay(store.entries(id), limits);
    const agent = nameOf(end.spec?.agents[end.agent]?.command ?? "");
    const place = part?.place ?? null;
    const ended = end.stopped?.reason ?? reason;
    rows.push({ id, title, agent, place, reason: ended, reached: reachedBy(end), replay: made, blind });
  }
  const running = summaries.filter((loop) => !hasStopped(loop)).map(({ id }) => id);
  return { limits, loops: rows, running, agents: historiesOf(rows.map(pastOf)), places: placesOf(rows) };
}

/** A coder and a reviewer need different numbers of iterations, whichever agent they are. */
const placesOf = (rows: readonly BacktestRow[]): PlaceHistory[] =>
  historiesOf(rows.flatMap((row) => (row.place ? [{ ...pastOf(row), agent: row.place }] : []))).map(
    ({ agent, ...history }) => ({ place: agent, ...history }),
  );

const hasStopped = (loop: LoopSummary): loop is LoopSummary & { reason: StopReason } =>
  loop.status === "stopped" && loop.reason !== null;

const nameOf = (command: string): string => command.split("/").at(-1) || command;

const pastOf = ({ agent, reason, reached }: BacktestRow): PastLoop => ({
  agent,
  proof: isLevel(reason) ? reason : null,
  iterations: reached.iterations,
});
