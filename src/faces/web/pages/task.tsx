import { useComputed } from "@preact/signals";
import { taskActions } from "../../../core/view/actions.ts";
import type { Card } from "../../../core/view/card.ts";
import type { TaskPage } from "../../../core/view/task-page.ts";
import { acceptTask, cancelTask, retryTask } from "../actions.tsx";
import { viewer } from "../api.ts";
import { view } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { CriteriaList } from "../parts/criteria.tsx";
import { Failed } from "../parts/empty-state.tsx";
import { LiveFacts } from "../parts/live-facts.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Standing } from "../parts/standing.tsx";
import { TaskCommands } from "../parts/task-commands.tsx";
import { useResource } from "../resource.ts";
import { History } from "./task/history.tsx";
import { Places } from "./task/places.tsx";
import { Related } from "./task/related.tsx";
import { Stages } from "./task/stages.tsx";
import { Work } from "./task/work.tsx";

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
  const { criteria, stages, description } = page;
  return (
    <>
      <TaskHead card={card} />
      <div class="two">
        <div class="two-main">
          <section class="panel" aria-label="How it stands">
            {card.loop !== null && <LiveFacts of={card} />}
            <Standing words={card.badge} page={page} proof={card.proof} />
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
          <History page={page} />
          {description !== "" && (
            <section class="block">
              <h2>Description</h2>
              <p class="block-text description">{description}</p>
            </section>
          )}
        </div>
        <Work card={card} />
      </div>
    </>
  );
}

function TaskHead({ card }: { card: Card }) {
  const { id, title, badge, tone, spec } = card;
  const actions = viewer.value ? [] : taskActions(card);
  return (
    <div class="page-head">
      <div class="head-title">
        <p class="crumbs">
          <a href="/board">Board</a> / <span class="id">{id}</span> <span class="soft">· {spec}</span>
        </p>
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      <Badge tone={tone}>{badge}</Badge>
      {actions.length > 0 && (
        <div class="page-actions">
          {actions.includes("accept") && (
            <Button kind="primary" onClick={() => acceptTask(id)}>
              Accept…
            </Button>
          )}
          {actions.includes("retry") && (
            <Button kind="primary" onClick={() => retryTask(id)}>
              Retry
            </Button>
          )}
          {actions.includes("cancel") && (
            <Button kind="danger" onClick={() => cancelTask(id)}>
              Cancel…
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
