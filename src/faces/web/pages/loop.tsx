import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import { loopActions } from "../../../core/view/actions.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";
import type { LoopPage } from "../../../core/view/loop-page.ts";
import { cancelLoop, resumeLoop } from "../actions.tsx";
import { viewer } from "../api.ts";
import { view } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Checks } from "../parts/checks.tsx";
import { Ago } from "../parts/clock.tsx";
import { CriteriaList } from "../parts/criteria.tsx";
import { Diff } from "../parts/diff.tsx";
import { Earlier } from "../parts/earlier.tsx";
import { EmptyState, Failed } from "../parts/empty-state.tsx";
import { Fact } from "../parts/fact.tsx";
import { LiveFacts } from "../parts/live-facts.tsx";
import { Output } from "../parts/output.tsx";
import { ReceiptView } from "../parts/receipt.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Standing } from "../parts/standing.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { useResource } from "../resource.ts";
import { hrefOf, queryValue, setQuery } from "../router.ts";

/** The most that one request returns. */
const MOST_ATTEMPTS = 500;

/** Everything about one loop. */
export function Loop({ id }: { id: string }) {
  const [isLong, setLong] = useState(false);
  const path = `/api/view/loops/${encodeURIComponent(id)}${isLong ? `?limit=${MOST_ATTEMPTS}` : ""}`;
  const { value, failure, reload } = useResource<LoopPage>(path, [`loop/${id}`]);
  const [last, setLast] = useState<LoopPage | null>(null);
  if (value && value !== last) setLast(value);
  // While more of it is read, the page stays.
  const page = value ?? last;
  if (!page && failure) return <LoopMissing id={id} failure={failure} retry={reload} />;
  if (!page) return <Skeleton lines={8} />;
  const isWhole = isLong && value !== null;
  return <LoopBody page={page} showEarlier={isWhole ? null : () => setLong(true)} />;
}

function LoopMissing({
  id,
  failure,
  retry,
}: {
  id: string;
  failure: Parameters<typeof Failed>[0]["failure"];
  retry(): void;
}) {
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Loop {id}</h1>
      </div>
      <Failed failure={failure} retry={retry} />
    </>
  );
}

function LoopBody({ page, showEarlier }: { page: LoopPage; showEarlier: (() => void) | null }) {
  const { id } = page.line;
  // The live view is newer between two answers.
  const live = useComputed(() => view.value?.loops.find((one) => one.id === id));
  const line = live.value ?? page.line;
  const { criteria, timeline } = page;
  return (
    <>
      <LoopHead line={line} />
      <div class="two">
        <div class="two-main">
          <section class="panel" aria-label="How it stands">
            <LiveFacts of={line}>
              <Fact name={line.status === "stopped" ? "Stopped" : "Started"}>
                <Ago at={line.status === "stopped" ? line.updatedMs : line.createdMs} />
              </Fact>
            </LiveFacts>
            <Standing words={page.ended} page={page} proof={line.proof} />
            {page.damage !== "" && <p class="text-bad">{page.damage}</p>}
          </section>
          {criteria.length > 0 && (
            <section class="block">
              <h2>Acceptance criteria</h2>
              <CriteriaList criteria={criteria} />
            </section>
          )}
          <section class="block">
            <h2>Timeline</h2>
            {timeline.length === 0 && <EmptyState title="No iteration has started yet." />}
            <Timeline items={timeline} onOutput={showOutput} onDiff={showDiff} />
            <Earlier loop={id} count={page.earlier} showMore={showEarlier} />
            {page.baseline && (
              <details class="baseline">
                <summary>Before the work</summary>
                <Checks checks={page.baseline} />
              </details>
            )}
          </section>
        </div>
        <LoopTabs page={page} line={line} />
      </div>
    </>
  );
}

const showOutput = (n: number): void => show("output", n);
const showDiff = (n: number): void => show("diff", n);

/** Shows a part of an iteration, and goes there: on a narrow page it is far below. */
function show(tab: string, n: number): void {
  setQuery({ tab, iteration: String(n) });
  requestAnimationFrame(() => {
    const chosen = document.querySelector<HTMLElement>(".two-side [aria-selected='true']");
    chosen?.focus({ preventScroll: true });
    const top = chosen?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > window.innerHeight / 2) chosen?.scrollIntoView();
  });
}

function LoopHead({ line }: { line: LoopLine }) {
  const { id, title, part, run, badge, tone } = line;
  const actions = viewer.value ? [] : loopActions(line);
  return (
    <div class="page-head">
      <div class="head-title">
        <p class="crumbs">
          <a href="/loops">Loops</a> / <span class="id">{id}</span>
          {part && (
            <>
              {" "}
              · {part.place} of <a href={hrefOf("tasks", part.task)}>{part.task}</a>
            </>
          )}
          {run && (
            <>
              {" "}
              · run <a href={hrefOf("runs", run.run)}>{run.run}</a>
            </>
          )}
        </p>
        <h1 tabIndex={-1}>{title || `Loop ${id}`}</h1>
      </div>
      <Badge tone={tone}>{badge}</Badge>
      {actions.length > 0 && (
        <div class="page-actions">
          {actions.includes("cancel") && (
            <Button kind="danger" onClick={() => cancelLoop(id)}>
              Cancel…
            </Button>
          )}
          {actions.includes("resume") && <Button onClick={() => resumeLoop(id)}>Resume</Button>}
        </div>
      )}
    </div>
  );
}

function LoopTabs({ page, line }: { page: LoopPage; line: LoopLine }) {
  const { id } = line;
  const iterations = [...new Set(page.timeline.map(({ n }) => n))].reverse();
  const asked = queryValue("iteration");
  // The newest by default: all of them may be long.
  const iteration = asked === "all" ? null : Number(asked) || iterations[0] || null;
  const choose = (n: number | null) => setQuery({ iteration: n === null ? "all" : String(n) });
  const tabs = [
    { name: "output", title: "Output" },
    { name: "diff", title: "Diff" },
    { name: "prompt", title: "Prompt" },
    ...(page.receipt ? [{ name: "receipt", title: "Receipt" }] : []),
  ];
  const tab = tabs.find(({ name }) => name === queryValue("tab"))?.name ?? "output";
  return (
    <div class="two-side">
      <Tabs label="Evidence" tabs={tabs} chosen={tab} onChoose={(name) => setQuery({ tab: name })}>
        {tab === "output" && (
          <Output
            loop={id}
            isLive={line.driven && line.status !== "stopped"}
            iterations={iterations}
            iteration={iteration}
            onIteration={choose}
          />
        )}
        {tab === "diff" && (
          <Diff
            path={`/api/loops/${encodeURIComponent(id)}/diff`}
            iterations={iterations}
            iteration={asked === "" ? null : iteration}
            onIteration={choose}
            subjects={[`loop/${id}`]}
          />
        )}
        {tab === "prompt" && <Prompt page={page} />}
        {tab === "receipt" && <ReceiptView loop={id} />}
      </Tabs>
    </div>
  );
}

function Prompt({ page: { prompt, outcome, protection } }: { page: LoopPage }) {
  return (
    <>
      {outcome !== "" && (
        <p class="block-text">
          <strong>Done means:</strong> {outcome}
        </p>
      )}
      {protection.length > 0 && (
        <ul class="plain-list soft">
          {protection.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre class="excerpt prompt" tabIndex={0}>
        {prompt || "no prompt"}
      </pre>
    </>
  );
}
