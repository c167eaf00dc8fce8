import { compact } from "../../../core/stats/amounts.ts";
import { dollars } from "../../../core/usage.ts";
import type { Card } from "../../../core/view/card.ts";
import { agentWords } from "../../../core/view/clock.ts";
import { Elapsed } from "./clock.tsx";
import { Doing } from "./doing.tsx";
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
  const { agent, turnBeganMs, iteration, maxIterations, proved, costUsd, tokens } = of;
  return (
    <>
      <dl class="facts facts-row">
        {agent !== "" && <Fact name="Agent">{agentWords(of)}</Fact>}
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
        {children}
      </dl>
      <Doing of={of} />
    </>
  );
}
