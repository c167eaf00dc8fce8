import { useComputed } from "@preact/signals";
import { dollars } from "../../../core/usage.ts";
import type { BoardView } from "../../../core/view/board.ts";
import { waitingForPerson } from "../../../core/view/totals.ts";
import { view } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Ago } from "../parts/clock.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { hrefOf } from "../router.ts";
import { Running } from "./running.tsx";
import { verdicts } from "./summary.ts";

/** What happens now, what it costs, what is proved, and what waits for a person. */
export function Overview() {
  const has = useComputed(() => view.value !== null);
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Overview</h1>
      </div>
      {has.value ? <Sections /> : <Skeleton lines={8} />}
    </>
  );
}

function Sections() {
  const shown = view.value;
  if (!shown) return null;
  if (shown.loops.length === 0 && shown.cards.length === 0)
    return (
      <EmptyState
        title="Nothing has run in this repository yet"
        command='ralph run "Make the tests pass" --verify "npm test"'
      >
        Loops and tasks show up here as soon as they begin.
      </EmptyState>
    );
  return (
    <>
      <Figures view={shown} />
      <section class="block">
        <h2>Running now</h2>
        <Running view={shown} />
      </section>
      <div class="columns">
        <Waiting view={shown} />
        <Completions view={shown} />
      </div>
    </>
  );
}

function Figures({ view: { totals, loops, todayUsd } }: { view: BoardView }) {
  const { running, merged, of, blocked } = totals;
  return (
    <dl class="figures">
      <Figure name="Running" value={String(running)} />
      <Figure name="Merged" value={`${merged}/${of}`} more={blocked > 0 ? `${blocked} blocked` : ""} />
      <Figure name="Spent today" value={dollars(todayUsd)} />
      <div class="figure">
        <dt>Proof of completed loops</dt>
        <dd class="verdicts">
          {verdicts(loops).map(({ level, count, tone, mark, means }) => (
            <Badge key={level} tone={count > 0 ? tone : "dim"} title={means}>
              {mark} {count} {level}
            </Badge>
          ))}
        </dd>
      </div>
    </dl>
  );
}

function Figure({ name, value, more = "" }: { name: string; value: string; more?: string }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        <span class="figure-value">{value}</span>
        {more && <span class="soft more">{more}</span>}
      </dd>
    </div>
  );
}

const MOST = 8;

function Waiting({ view: { cards } }: { view: BoardView }) {
  const waiting = waitingForPerson(cards);
  return (
    <section class="block">
      <h2>
        Waiting for you <span class="count">{waiting.length}</span>
      </h2>
      {waiting.length === 0 && <p class="soft">Nothing is.</p>}
      <ul class="rows">
        {waiting.slice(0, MOST).map(({ id, title, badge, tone, why }) => (
          <li key={id} class="row">
            <div class="row-main">
              <span class="id">{id}</span> <a href={hrefOf("tasks", id)}>{title}</a>
              {why && <p class="soft clip">{why}</p>}
            </div>
            <Badge tone={tone}>{badge}</Badge>
          </li>
        ))}
      </ul>
      {waiting.length > MOST && <a href="/board">{waiting.length - MOST} more on the board</a>}
    </section>
  );
}

function Completions({ view: { loops } }: { view: BoardView }) {
  const completed = loops.filter(({ proof }) => proof !== null).sort((a, b) => b.updatedMs - a.updatedMs);
  return (
    <section class="block">
      <h2>Recently completed</h2>
      {completed.length === 0 && <p class="soft">No loop has completed yet.</p>}
      <ul class="rows">
        {completed.slice(0, MOST).map(({ id, title, badge, tone, updatedMs }) => (
          <li key={id} class="row">
            <div class="row-main">
              <a href={hrefOf("loops", id)}>{title || id}</a>
              <p class="soft">
                <span class="id">{id}</span> · <Ago at={updatedMs} />
              </p>
            </div>
            <Badge tone={tone}>{badge}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
