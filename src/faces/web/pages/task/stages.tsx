import type { StageLine } from "../../../../core/view/task-page.ts";
import { Fact } from "../../parts/fact.tsx";
import { hrefOf } from "../../router.ts";

/** The stages of a task: how far each is, and how it is verified. */
export function Stages({ stages }: { stages: readonly StageLine[] }) {
  return (
    <ol class="stages">
      {stages.map((stage) => (
        <li key={stage.role} class={`stage edge-${stage.tone} is-${stage.is}`}>
          <Stage stage={stage} />
          {stage.loop && (
            <a class="id stage-loop" href={hrefOf("loops", stage.loop)}>
              <span class="hidden">Loop </span>
              {stage.loop}
            </a>
          )}
        </li>
      ))}
    </ol>
  );
}

function Stage({ stage: { title, is, tone, words, method, promise, maxIterations, checks } }: { stage: StageLine }) {
  return (
    <details>
      <summary>
        <strong>{title}</strong> <span class={`text-${tone}`}>{words || is}</span>
      </summary>
      <dl class="facts">
        <Fact name="Verified by">{method}</Fact>
        {promise !== "" && (
          <Fact name="Promise">
            <code>{promise}</code>
          </Fact>
        )}
        {maxIterations !== null && <Fact name="At most">{maxIterations} iterations</Fact>}
        {checks.length > 0 && (
          <Fact name="Checks">
            <ul class="plain-list">
              {checks.map((check, i) => (
                <li key={`${i} ${check}`}>
                  <code>{check}</code>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </details>
  );
}
