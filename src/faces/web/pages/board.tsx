import { useComputed } from "@preact/signals";
import type { Card } from "../../../core/view/card.ts";
import { view } from "../live.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { isNarrow } from "../parts/narrow.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { queryValue, setQuery } from "../router.ts";
import { BoardLanes, PHONE_LANES } from "./board-lanes.tsx";
import { Executions } from "./executions.tsx";

/** The board: every task in its lane, and what works on them. */
export function Board() {
  const has = useComputed(() => view.value !== null);
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Board</h1>
        <Progress />
        <Filter />
      </div>
      <Executions />
      {has.value ? <Lanes /> : <Skeleton lines={8} />}
    </>
  );
}

function Progress() {
  const totals = view.value?.totals;
  if (!totals || totals.of === 0) return null;
  const { merged, of, blocked } = totals;
  return (
    <p class="soft page-sub">
      {merged}/{of} merged{blocked > 0 ? `, ${blocked} blocked` : ""}
    </p>
  );
}

function Filter() {
  return (
    <div class="filters">
      <input
        type="search"
        class="input"
        placeholder="Filter tasks"
        aria-label="Filter tasks by id, title or spec"
        value={queryValue("q")}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={queryValue("cancelled") !== ""}
          onChange={(event) => setQuery({ cancelled: event.currentTarget.checked ? "yes" : "" })}
        />
        Cancelled
      </label>
    </div>
  );
}

function Lanes() {
  const cards = view.value?.cards ?? [];
  const shown = filtered(cards, queryValue("q"));
  if (cards.length === 0)
    return (
      <EmptyState title="There are no tasks yet" command='ralph task add "Add a discount" --verify "npm test"'>
        Tasks that you add or import show up here at once.
      </EmptyState>
    );
  return (
    <>
      {shown.length === 0 && <EmptyState title="No task matches this filter" />}
      {shown.length > 0 && <BoardLanes cards={shown} {...(isNarrow.value ? { order: PHONE_LANES } : {})} />}
      {queryValue("cancelled") !== "" && <Cancelled cards={shown} />}
    </>
  );
}

/** Every word must occur in the id, the title, the spec or the badge. */
export function filtered(cards: readonly Card[], query: string): readonly Card[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return cards;
  return cards.filter(({ id, title, spec, badge }) => {
    const text = `${id} ${title} ${spec} ${badge}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function Cancelled({ cards }: { cards: readonly Card[] }) {
  const gone = cards.filter(({ status }) => status === "cancelled");
  return (
    <section class="block">
      <h2>
        Cancelled <span class="count">{gone.length}</span>
      </h2>
      <ul class="plain-list">
        {gone.map(({ id, title }) => (
          <li key={id}>
            <span class="id">{id}</span> <a href={`/tasks/${encodeURIComponent(id)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
