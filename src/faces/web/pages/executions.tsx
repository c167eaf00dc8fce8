import { useState } from "preact/hooks";
import { slotRows } from "../../../core/view/agent-rows.ts";
import type { ExecutionLine } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { cancelExecution } from "../actions.tsx";
import { viewer } from "../api.ts";
import { view } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { Elapsed } from "../parts/clock.tsx";
import { hrefOf } from "../router.ts";
import { StartExecution } from "./start-execution.tsx";

/** What works on tasks: each execution with its slots and merge queue; or how to start one. */
export function Executions() {
  const [isAsking, setAsking] = useState(false);
  const executions = view.value?.executions ?? [];
  return (
    <section class="executions" aria-label="Executions">
      {executions.map((execution) => (
        <Execution key={execution.id} execution={execution} />
      ))}
      {!viewer.value && (
        <div class="execution-start">
          {executions.length === 0 && <span class="soft">No execution is running.</span>}
          {executions.length === 0 && (
            <Button kind="primary" onClick={() => setAsking(true)}>
              Start an execution
            </Button>
          )}
        </div>
      )}
      {isAsking && <StartExecution onClose={() => setAsking(false)} />}
    </section>
  );
}

function Execution({ execution: { id, startedMs, target, merging } }: { execution: ExecutionLine }) {
  const slots = view.value ? slotRows(view.value, id) : [];
  return (
    <div class="execution">
      <div class="execution-head">
        <strong>Execution</strong>
        <span class="soft">
          into <code>{target}</code> · <Elapsed since={startedMs} label="started" />
        </span>
        {!viewer.value && <Button onClick={() => cancelExecution(id)}>Stop…</Button>}
      </div>
      <ol class="slots">
        {slots.map(({ n, card, sinceMs }) => (
          <li key={n} class={card ? "slot" : "slot is-free"}>
            <span class="soft">{n}</span>
            {card ? <SlotTask card={card} sinceMs={sinceMs ?? card.sinceMs} /> : <span class="soft">free</span>}
          </li>
        ))}
      </ol>
      {merging.length > 0 && (
        <p class="merging">
          <span class="soft">Merge queue</span>
          {merging.map((task, n) => (
            <a key={task} href={hrefOf("tasks", task)} class="id">
              {task}
              {n === 0 ? " (merging)" : ""}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

function SlotTask({ card: { id, badge }, sinceMs }: { card: Card; sinceMs: number }) {
  return (
    <>
      <a href={hrefOf("tasks", id)} class="id">
        {id}
      </a>
      <span class="slot-badge">{badge}</span>
      <Elapsed since={sinceMs} label="at this stage since" />
    </>
  );
}
