import { useState } from "preact/hooks";
import { formatDuration } from "../../../core/duration.ts";
import { compact } from "../../../core/stats/amounts.ts";
import { dollars } from "../../../core/usage.ts";
import { agentWords } from "../../../core/view/clock.ts";
import type { Phase, TimelineItem } from "../../../core/view/loop-page.ts";
import { TONE_MARKS } from "../../../core/view/marks.ts";
import { Checks } from "./checks.tsx";
import { Elapsed } from "./clock.tsx";
import { stable } from "./stable.tsx";

interface TimelineProps {
  items: readonly TimelineItem[];
  /** What to do with an iteration: show its output, its diff. */
  onOutput(n: number): void;
  onDiff(n: number): void;
}

const PHASE_TITLES: Readonly<Record<Phase["name"], string>> = {
  claim: "Claim",
  guards: "Guards",
  guardrails: "Guardrails",
  verdict: "Verdict",
};

/** The iterations of a loop, newest first, each with its phases: claim → guards → guardrails → verdict. */
export const Timeline = stable<TimelineProps>(({ items, ...open }) => {
  return (
    <ol class="timeline" reversed>
      {[...items].reverse().map((item, i) => (
        <li key={keyOf(item)} class={`iteration edge-${item.tone}`}>
          <Iteration item={item} isNewest={i === 0} {...open} />
        </li>
      ))}
    </ol>
  );
});

const keyOf = ({ n, attempt }: TimelineItem): string => `${n}.${attempt}`;

/** Stays as the user left it, also when a newer one appears. */
function Iteration({
  item,
  isNewest,
  onOutput,
  onDiff,
}: { item: TimelineItem; isNewest: boolean } & Pick<TimelineProps, "onOutput" | "onDiff">) {
  const [isOpen, setOpen] = useState(isNewest);
  const { n, attempt, phases, decision, effects } = item;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="iteration-title">
          Iteration {n}
          {attempt > 1 && <span class="soft"> · attempt {attempt}</span>}
        </span>
        <Steps phases={phases} />
        <Facts item={item} />
      </summary>
      {isOpen && (
        <div class="iteration-body">
          {phases.map((phase, i) => (
            // A claim may be judged again.
            <PhaseBody key={`${i} ${phase.name}`} phase={phase} opens={isNewest} />
          ))}
          {effects.length > 0 && (
            <section class="phase">
              <h3>Effects</h3>
              <ul class="plain-list">
                {effects.map(({ tone, words }, i) => (
                  <li key={`${i} ${words}`} class={`text-${tone}`}>
                    <span aria-hidden="true">{TONE_MARKS[tone]}</span> {words}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {decision !== "" && (
            <p class="decision">
              <strong>Then:</strong> {decision}
            </p>
          )}
          <p class="row-buttons">
            <button type="button" class="button quiet" onClick={() => onOutput(n)}>
              Output<span class="hidden"> of iteration {n}</span>
            </button>
            <button type="button" class="button quiet" onClick={() => onDiff(n)}>
              Diff<span class="hidden"> of iteration {n}</span>
            </button>
          </p>
        </div>
      )}
    </details>
  );
}

/** The phases as steps, so that a closed iteration shows where it went wrong. */
function Steps({ phases }: { phases: readonly Phase[] }) {
  return (
    <span class="steps">
      {phases.map(({ name, tone, words }, i) => (
        <span key={`${i} ${name}`} class={`step text-${tone}`} title={words}>
          {i > 0 && (
            <span class="arrow" aria-hidden="true">
              →
            </span>
          )}
          <span class="mark" aria-hidden="true">
            {TONE_MARKS[tone]}
          </span>
          {PHASE_TITLES[name]}
          <span class="hidden">: {words}. </span>
        </span>
      ))}
    </span>
  );
}

function Facts({ item: { agent, model, beganMs, endedMs, costUsd, tokens, proved } }: { item: TimelineItem }) {
  const facts = [
    ...(proved && proved.of > 0 ? [`${proved.proved}/${proved.of} proved`] : []),
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
    ...(tokens > 0 ? [`${compact(tokens)} tokens`] : []),
  ];
  return (
    <span class="iteration-facts soft">
      {agent !== "" && <span>{agentWords({ agent, model })}</span>}
      <span>{endedMs === null ? <Elapsed since={beganMs} /> : formatDuration(Math.max(0, endedMs - beganMs))}</span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  );
}

function PhaseBody({ phase: { name, tone, words, details, checks }, opens }: { phase: Phase; opens: boolean }) {
  return (
    <section class="phase">
      <h3>
        <span class={`mark text-${tone}`} aria-hidden="true">
          {TONE_MARKS[tone]}
        </span>
        {PHASE_TITLES[name]} <span class={`phase-words text-${tone}`}>{words}</span>
      </h3>
      {details.length > 0 && (
        <ul class="details">
          {details.map((detail, i) => (
            <li key={`${i} ${detail}`}>{detail}</li>
          ))}
        </ul>
      )}
      {checks.length > 0 && <Checks checks={checks} opens={opens} />}
    </section>
  );
}
