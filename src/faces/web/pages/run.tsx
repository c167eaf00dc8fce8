import { dollars } from "../../../core/usage.ts";
import { runActions } from "../../../core/view/actions.ts";
import { runBadge } from "../../../core/view/run-line.ts";
import { levelBadge } from "../../../core/view/tones.ts";
import { hasEnded } from "../../../core/workflow/state.ts";
import { cancelRun, resumeRun } from "../actions.tsx";
import { viewer } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Ago, Elapsed } from "../parts/clock.tsx";
import { Failed } from "../parts/empty-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Table } from "../parts/table.tsx";
import { useResource } from "../resource.ts";
import { hrefOf } from "../router.ts";
import { conversationHref, type RunDetail } from "./run-facts.ts";

/** One run of a workflow: how it stands, its loops and what its parts produced. */
export function Run({ id }: { id: string }) {
  const path = `/api/runs/${encodeURIComponent(id)}`;
  const { value: run, failure, reload } = useResource<RunDetail>(path, (known) => subjectsOf(id, known));
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>{run ? run.workflow : "Run"}</h1>
        <span class="id">{run?.id ?? id}</span>
        {run && <RunHead run={run} />}
      </div>
      {failure && <Failed failure={failure} retry={reload} />}
      {!run && !failure && <Skeleton lines={6} />}
      {run && <RunBody run={run} />}
    </>
  );
}

/** The run and its own loops; those that are being started are known from its state. */
export const subjectsOf = (id: string, run: Pick<RunDetail, "id" | "loops" | "state"> | null): readonly string[] => {
  if (!run) return [`run/${id}`];
  const loops = [...run.loops.map((loop) => loop.id), ...run.state.lanes.flatMap(({ loop }) => loop ?? [])];
  return [`run/${run.id}`, ...[...new Set(loops)].map((loop) => `loop/${loop}`)];
};

function RunHead({ run }: { run: RunDetail }) {
  const { tone, badge } = runBadge(run);
  const talk = conversationHref(run);
  const { id } = run;
  const actions = viewer.value ? [] : runActions(run);
  return (
    <>
      <Badge tone={tone}>{badge}</Badge>
      <div class="page-actions">
        {talk && (
          <a class="button" href={talk}>
            Conversation
          </a>
        )}
        {actions.includes("resume") && <Button onClick={() => resumeRun(id)}>Resume</Button>}
        {actions.includes("cancel") && (
          <Button kind="danger" onClick={() => cancelRun(id)}>
            Cancel…
          </Button>
        )}
      </div>
    </>
  );
}

function RunBody({ run }: { run: RunDetail }) {
  const { message, detail, steps, currentStep, status, costUsd, createdAtMs, updatedAtMs, loops, state } = run;
  const outputs = Object.entries(state.outputs ?? {}).filter(([, text]) => text !== "");
  return (
    <>
      {detail && <p class={`banner tone-${runBadge(run).tone}`}>{detail}</p>}
      <p class="run-message">{message}</p>
      <dl class="figures">
        <Fact name="Steps" value={`${Math.min(currentStep, steps)}/${steps}`} />
        <Fact name="Cost" value={dollars(costUsd)} />
        <div class="figure">
          <dt>{hasEnded(status) ? "Ended" : "Running for"}</dt>
          <dd class="figure-value">{hasEnded(status) ? <Ago at={updatedAtMs} /> : <Elapsed since={createdAtMs} />}</dd>
        </div>
      </dl>
      <section class="block">
        <h2>Loops</h2>
        {loops.length === 0 ? <p class="soft">It has started no loop yet.</p> : <RunLoops loops={loops} />}
      </section>
      {outputs.length > 0 && (
        <section class="block">
          <h2>Output</h2>
          {outputs.map(([part, text]) => (
            <details key={part} class="output-part">
              <summary>{part}</summary>
              <pre>{text}</pre>
            </details>
          ))}
        </section>
      )}
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class="figure-value">{value}</dd>
    </div>
  );
}

function RunLoops({ loops }: Pick<RunDetail, "loops">) {
  return (
    <Table
      caption="Loops of this run"
      columns={["Loop", "Title", "State", "Iterations", "Cost"]}
      numbers={["Iterations", "Cost"]}
    >
      {loops.map(({ id, title, run, status, proof, reason, iteration, costUsd }) => (
        <tr key={id}>
          <td>
            <a class="id" href={hrefOf("loops", id)}>
              {id}
            </a>
          </td>
          <td class="wide">{run ? `${run.part}: ${title}` : title}</td>
          <td>{proof ? levelBadge(proof).badge : (reason ?? status)}</td>
          <td class="number">{iteration}</td>
          <td class="number">{costUsd > 0 ? dollars(costUsd) : ""}</td>
        </tr>
      ))}
    </Table>
  );
}
