import { useComputed } from "@preact/signals";
import { lanesOf } from "../../../core/view/board.ts";
import { matchingCards } from "../../../core/view/filter.ts";
import { LANES, LANES_BY_URGENCY } from "../../../core/view/lanes.ts";
import { totalParts } from "../../../core/view/totals.ts";
import { view } from "../live.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { isNarrow } from "../parts/narrow.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { queryValue, setQuery } from "../router.ts";
import { BoardLanes } from "./board-lanes.tsx";
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
  return (
    <p class="soft page-sub">
      {totalParts(totals)
        .filter(({ name }) => name === "merged" || name === "blocked")
        .map(({ text }) => text)
        .join(", ")}
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
        aria-label="Filter tasks by id, title, spec or status"
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
  const cancelled = queryValue("cancelled") !== "";
  const shown = matchingCards(cards, queryValue("q"));
  if (cards.length === 0)
    return (
      <EmptyState title="There are no tasks yet" command='ralph task add "Add a discount" --verify "npm test"'>
        Tasks that you add or import show up here at once.
      </EmptyState>
    );
  if (shown.length === 0) return <EmptyState title="No task matches this filter" />;
  return <BoardLanes lanes={lanesOf(shown, { cancelled })} order={isNarrow.value ? LANES_BY_URGENCY : LANES} />;
}
