import type { Card } from "../../../../core/view/card.ts";
import { roleTitle } from "../../../../core/view/card.ts";
import { Diff } from "../../parts/diff.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Output } from "../../parts/output.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { hrefOf, queryValue, setQuery } from "../../router.ts";

const TABS = [
  { name: "output", title: "Output" },
  { name: "diff", title: "Diff of the branch" },
];

/** What was done: the output of its current loop, the diff of its branch. */
export function Work({ card }: { card: Card }) {
  const tab = queryValue("tab") === "diff" ? "diff" : "output";
  const { id, loop, iteration } = card;
  return (
    <div class="two-side">
      <Tabs label="Work" tabs={TABS} chosen={tab} onChoose={(name) => setQuery({ tab: name })}>
        {tab === "output" && loop && (
          <>
            <p class="block-text">
              {card.place && card.place !== "merge" ? `${roleTitle(card.place)}: ` : ""}iteration {iteration} of loop{" "}
              <a class="id" href={hrefOf("loops", loop)}>
                {loop}
              </a>
            </p>
            <Output loop={loop} isLive={card.driven} iteration={iteration > 0 ? iteration : null} />
          </>
        )}
        {tab === "output" && !loop && (
          <EmptyState title="No agent has worked on it yet." command="ralph execute">
            Its output appears here as soon as one does.
          </EmptyState>
        )}
        {tab === "diff" && (
          <Diff
            path={`/api/tasks/${encodeURIComponent(id)}/diff`}
            subjects={[`task/${id}`, ...(loop ? [`loop/${loop}`] : [])]}
          />
        )}
      </Tabs>
    </div>
  );
}
