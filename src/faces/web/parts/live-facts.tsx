import { compact } from "../../../core/stats/amounts.ts";
import { dollars } from "../../../core/usage.ts";
import type { Card } from "../../../core/view/card.ts";
import { Ago, Elapsed, now, Until } from "./clock.tsx";
import { DoingLine } from "./doing.tsx";
import { Fact } from "./fact.tsx";
import { Proved } from "./proved.tsx";

type Live = Pick<
  Card,
  | "agent"
  | "model"
  | "doing"
  | "turnBeganMs"
  | "heardMs"
  | "iteration"
  | "maxIterations"
  | "proved"
  | "costUsd"
  | "tokens"
  | "waitUntilMs"
>;

/** What works on something, how far it is, and what it does right now. */
export function LiveFacts({ of, children }: { of: Live; children?: preact.ComponentChildren }) {
  const { agent, model, doing, turnBeganMs, iteration, maxIterations, proved, costUsd, tokens, waitUntilMs } = of;
  return (
    <>
      <dl class="facts facts-row">
        {agent !== "" && <Fact name="Agent">{model ? `${agent} · ${model}` : agent}</Fact>}
        <Fact name="Iteration">{maxIterations === null ? iteration : `${iteration} of ${maxIterations}`}</Fact>
        {proved && proved.of > 0 && (
          <Fact name="Criteria">
            <Proved {...proved} />
          </Fact>
        )}
        <Fact name="Cost">{costUsd > 0 ? dollars(costUsd) : "not reported"}</Fact>
        {tokens > 0 && <Fact name="Tokens">{compact(tokens)}</Fact>}
        {turnBeganMs !== null && (
          <Fact name="This turn">
            <Elapsed since={turnBeganMs} label="began" />
          </Fact>
        )}
        {waitUntilMs !== null && (
          <Fact name="Continues">
            <Until at={waitUntilMs} />
          </Fact>
        )}
        {children}
      </dl>
      {doing && <DoingLine doing={doing} />}
      <Silence heardMs={of.heardMs} />
    </>
  );
}

const SILENT_MS = 60_000;

/** Agents print often: a long silence is worth a look. */
function Silence({ heardMs }: Pick<Live, "heardMs">) {
  if (heardMs === null || now.value - heardMs < SILENT_MS) return null;
  return (
    <p class="text-warn">
      The agent last printed something <Ago at={heardMs} />.
    </p>
  );
}
