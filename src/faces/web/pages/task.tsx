import { useComputed } from "@preact/signals";
import type { Card } from "../../../core/view/card.ts";
import { roleTitle } from "../../../core/view/card.ts";
import { TONE_MARKS } from "../../../core/view/marks.ts";
import type { HistoryLine, StageLine, TaskPage } from "../../../core/view/task-page.ts";
import { acceptTask, cancelTask, retryTask } from "../actions.tsx";
import { viewer } from "../api.ts";
import { view } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { CriteriaList } from "../parts/criteria.tsx";
import { Diff } from "../parts/diff.tsx";
import { EmptyState, Failed } from "../parts/empty-state.tsx";
import { Fact } from "../parts/fact.tsx";
import { LiveFacts } from "../parts/live-facts.tsx";
import { Output } from "../parts/output.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Standing } from "../parts/standing.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { TaskCommands } from "../parts/task-commands.tsx";
import { useResource } from "../resource.ts";
import { hrefOf, queryValue, setQuery } from "../router.ts";

/** Everything about one task. */
export function Task({ id }: { id: string }) {
  const known = useComputed(() => view.value?.cards.find((one) => one.id === id)).value;
  const subjects = [`task/${id}`, ...(known?.loop ? [`loop/${known.loop}`] : [])];
  const { value, failure, reload } = useResource<TaskPage>(`/api/view/tasks/${encodeURIComponent(id)}`, subjects);
  if (!value)
    return (
      <>
        <div class="page-head">
          <h1 tabIndex={-1}>{known?.title ?? `Task ${id}`}</h1>
        </div>
        {failure ? <Failed failure={failure} retry={reload} /> : <Skeleton lines={8} />}
      </>
    );
  return <TaskBody page={value} card={known ?? value.card} />;
}

function TaskBody({ page, card }: { page: TaskPage; card: Card }) {
  const { criteria, stages, history, description } = page;
  return (
    <>
      <TaskHead card={card} />
      <div class="two">
        <div class="two-main">
          <section class="panel" aria-label="How it stands">
            {card.loop !== null && <LiveFacts of={card} />}
            <Standing words={page.stands} decided={page.decided} next={page.next} proof={card.proof} weak={page.weak} />
            <Places page={page} />
          </section>
          {page.outcome !== "" && (
            <section class="block">
              <h2>Outcome</h2>
              <p class="block-text">{page.outcome}</p>
            </section>
          )}
          <section class="block">
            <h2>Acceptance criteria</h2>
            {criteria.length > 0 ? (
              <CriteriaList criteria={criteria} />
            ) : (
              <p class="soft">None: its stages' own checks decide.</p>
            )}
          </section>
          {card.status === "proposed" && (
            <section class="block">
              <h2>Commands</h2>
              <TaskCommands commands={page.commands} />
            </section>
          )}
          <section class="block">
            <h2>Stages</h2>
            <Stages stages={stages} />
          </section>
          <Related page={page} />
          {history.length > 0 && (
            <section class="block">
              <h2>History</h2>
              {page.earlier > 0 && <p class="soft">{page.earlier} earlier lines are left out.</p>}
              <History lines={history} />
            </section>
          )}
          {description !== "" && (
            <section class="block">
              <h2>Description</h2>
              <p class="block-text description">{description}</p>
            </section>
          )}
        </div>
        <TaskTabs card={card} />
      </div>
    </>
  );
}

function TaskHead({ card }: { card: Card }) {
  const { id, title, badge, tone, status, held, driven, spec } = card;
  const isOver = status === "done" || status === "cancelled";
  return (
    <div class="page-head">
      <div class="head-title">
        <p class="crumbs">
          <a href="/board">Board</a> / <span class="id">{id}</span> <span class="soft">· {spec}</span>
        </p>
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      <Badge tone={tone}>{badge}</Badge>
      {!viewer.value && (
        <div class="page-actions">
          {status === "proposed" && (
            <Button kind="primary" onClick={() => acceptTask(id)}>
              Accept…
            </Button>
          )}
          {(status === "blocked" || held) && (
            <Button kind="primary" onClick={() => retryTask(id)}>
              Retry
            </Button>
          )}
          {!isOver && driven && (
            <Button kind="danger" onClick={() => cancelTask(id)}>
              Cancel…
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Where the work is. */
function Places({ page: { branch, target, worktree, merged } }: { page: TaskPage }) {
  if (!branch && !worktree && !merged) return null;
  return (
    <dl class="facts facts-row">
      {branch && (
        <Fact name="Branch">
          <code>{branch}</code>
          {target && (
            <span class="soft">
              {" "}
              into <code>{target}</code>
            </span>
          )}
        </Fact>
      )}
      {worktree && (
        <Fact name="Worktree">
          <code>{worktree}</code>
        </Fact>
      )}
      {merged && (
        <Fact name="Merged as">
          <code>{merged.slice(0, 12)}</code>
        </Fact>
      )}
    </dl>
  );
}

function Stages({ stages }: { stages: readonly StageLine[] }) {
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

/** The tasks before it, and those that came of it. */
function Related({ page: { dependencies, followups } }: { page: TaskPage }) {
  if (dependencies.length === 0 && followups.length === 0) return null;
  return (
    <section class="block">
      <h2>Other tasks</h2>
      <ul class="plain-list">
        {dependencies.map(({ id, title, status }) => (
          <li key={id}>
            after{" "}
            <a class="id" href={hrefOf("tasks", id)}>
              {id}
            </a>{" "}
            {title} <span class="soft">({status})</span>
          </li>
        ))}
        {followups.map((id) => (
          <li key={id}>
            follow-up:{" "}
            <a class="id" href={hrefOf("tasks", id)}>
              {id}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ lines }: { lines: readonly HistoryLine[] }) {
  return (
    <ol class="history">
      {lines.map(({ atMs, tone, words, details, loop }, i) => (
        <li key={i}>
          <time class="clock soft" dateTime={new Date(atMs).toISOString()}>
            {new Date(atMs).toLocaleString(undefined, {
              month: "short",
              day: "numeric",
              hour: "2-digit",
              minute: "2-digit",
            })}
          </time>
          <span class={`mark text-${tone}`} aria-hidden="true">
            {TONE_MARKS[tone]}
          </span>
          <div>
            {words}{" "}
            {loop && (
              <a class="id" href={hrefOf("loops", loop)}>
                {loop}
              </a>
            )}
            {details.map((detail, n) => (
              <p key={n} class="soft">
                {detail}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

const TABS = [
  { name: "output", title: "Output" },
  { name: "diff", title: "Diff of the branch" },
];

function TaskTabs({ card }: { card: Card }) {
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
