import { dollars } from "../../../core/usage.ts";
import { type AgentRow, agentRows, isBusy } from "../../../core/view/agent-rows.ts";
import type { BoardView } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { agentWords } from "../../../core/view/clock.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";
import { Badge } from "../parts/badge.tsx";
import { Elapsed } from "../parts/clock.tsx";
import { Doing } from "../parts/doing.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Proved } from "../parts/proved.tsx";
import { stable } from "../parts/stable.tsx";
import { hrefOf } from "../router.ts";

/** What is worked on, as the board lists it, and the loops whose process is gone. */
export function Running({ view }: { view: BoardView }) {
  const rows = agentRows(view).filter((row) => isBusy(row) || row.is === "loop");
  if (rows.length === 0)
    return (
      <EmptyState title="Nothing is running" command="ralph execute">
        Start the tasks that are ready, or one loop with <code>ralph run</code>.
      </EmptyState>
    );
  return (
    <ul class="rows running">
      {rows.map((row) => {
        const { work, kind, sinceMs } = workOf(row);
        return work && <RunningRow key={`${kind}/${work.id}`} work={work} kind={kind} sinceMs={sinceMs} />;
      })}
    </ul>
  );
}

interface Work {
  work: Card | LoopLine | null;
  kind: "tasks" | "loops";
  sinceMs: number | null;
}

const workOf = (row: AgentRow): Work =>
  row.is === "loop"
    ? { work: row.loop, kind: "loops", sinceMs: row.loop.driven ? row.loop.createdMs : null }
    : { work: row.card, kind: "tasks", sinceMs: row.sinceMs };

interface RowProps {
  work: Card | LoopLine;
  kind: Work["kind"];
  sinceMs: number | null;
}

const RunningRow = stable<RowProps>(({ work, kind, sinceMs }) => {
  const { id, title, badge, tone, proved, costUsd, why, driven } = work;
  const agent = agentWords(work);
  return (
    <li class={`row edge-${tone}`}>
      <div class="row-main">
        <span class="id">{id}</span> <a href={hrefOf(kind, id)}>{title || id}</a>
        {driven ? <Doing of={work} /> : why && <p class="soft clip">{why}</p>}
      </div>
      <div class="row-facts">
        <Badge tone={tone}>{badge}</Badge>
        {agent && <span class="soft">{agent}</span>}
        {proved && <Proved {...proved} />}
        {costUsd > 0 && <span>{dollars(costUsd)}</span>}
        {sinceMs !== null && <Elapsed since={sinceMs} label="running since" />}
      </div>
    </li>
  );
});
