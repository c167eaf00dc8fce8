import { dollars } from "../../../core/usage.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";
import { Badge } from "../parts/badge.tsx";
import { Ago, Elapsed } from "../parts/clock.tsx";
import { DoingLine } from "../parts/doing.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Proved } from "../parts/proved.tsx";
import { stable } from "../parts/stable.tsx";
import { hrefOf } from "../router.ts";

/** The loops at work, each with what it does now. */
export function RunningLoops({ loops }: { loops: readonly LoopLine[] }) {
  const running = loops.filter(({ status }) => status !== "stopped");
  if (running.length === 0)
    return (
      <EmptyState title="Nothing is running" command="ralph execute">
        Start the tasks that are ready, or one loop with <code>ralph run</code>.
      </EmptyState>
    );
  return (
    <ul class="rows running">
      {running.map((loop) => (
        <RunningLoop key={loop.id} loop={loop} />
      ))}
    </ul>
  );
}

const RunningLoop = stable<{ loop: LoopLine }>(({ loop }) => {
  const { id, title, badge, tone, doing, turnBeganMs, agent, model, proved, costUsd, why, heardMs } = loop;
  return (
    <li class={`row edge-${tone}`}>
      <div class="row-main">
        <span class="id">{id}</span> <a href={hrefOf("loops", id)}>{title || id}</a>
        {doing ? <DoingLine doing={doing} /> : why && <p class="soft clip">{why}</p>}
      </div>
      <div class="row-facts">
        <Badge tone={tone}>{badge}</Badge>
        {agent && (
          <span class="soft">
            {agent}
            {model ? ` · ${model}` : ""}
          </span>
        )}
        {proved && <Proved {...proved} />}
        {costUsd > 0 && <span>{dollars(costUsd)}</span>}
        {turnBeganMs !== null && <Elapsed since={turnBeganMs} label="this turn began" />}
        {heardMs !== null && (
          <span class="soft">
            heard <Ago at={heardMs} />
          </span>
        )}
      </div>
    </li>
  );
});
