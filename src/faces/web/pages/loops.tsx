import { dollars } from "../../../core/usage.ts";
import { matchingLoops } from "../../../core/view/filter.ts";
import type { LoopLine } from "../../../core/view/loop-line.ts";
import { view } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Ago } from "../parts/clock.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Proved } from "../parts/proved.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { stable } from "../parts/stable.tsx";
import { Table } from "../parts/table.tsx";
import { hrefOf, queryValue, setQuery } from "../router.ts";

const STATES = ["active", "completed", "stopped"] as const;
type State = (typeof STATES)[number];

/** `active`: not stopped; `completed`: with a proof; `stopped`: for another reason. */
const stateOf = ({ status, proof }: LoopLine): State =>
  status !== "stopped" ? "active" : proof ? "completed" : "stopped";

/** The loops that match a filter. */
const filteredLoops = (loops: readonly LoopLine[], { query, state }: { query: string; state: string }) =>
  matchingLoops(loops, query).filter((loop) => state === "" || stateOf(loop) === state);

/** All loops of the view: those that have not stopped and the newest others. */
export function Loops() {
  const loops = view.value?.loops ?? null;
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Loops</h1>
        <Filters />
      </div>
      {loops ? <LoopTable loops={loops} /> : <Skeleton lines={8} />}
    </>
  );
}

function Filters() {
  return (
    <div class="filters">
      <select
        class="input"
        aria-label="State"
        value={queryValue("state")}
        onChange={(event) => setQuery({ state: event.currentTarget.value })}
      >
        <option value="">All</option>
        <option value="active">Not stopped</option>
        <option value="completed">Completed</option>
        <option value="stopped">Stopped for another reason</option>
      </select>
      <input
        type="search"
        class="input"
        placeholder="Filter loops"
        aria-label="Filter loops by id, title, task or result"
        value={queryValue("q")}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
    </div>
  );
}

function LoopTable({ loops }: { loops: readonly LoopLine[] }) {
  if (loops.length === 0)
    return (
      <EmptyState title="No loop has run here yet" command='ralph run "Make the tests pass" --verify "npm test"'>
        A loop runs an agent again and again until its work is proven done.
      </EmptyState>
    );
  const shown = filteredLoops(loops, { query: queryValue("q"), state: queryValue("state") });
  if (shown.length === 0) return <EmptyState title="No loop matches this filter" />;
  return (
    <Table
      caption="Loops"
      kind="loops"
      columns={["Loop", "Title", "State", "Criteria", "Cost", "Updated"]}
      numbers={["Cost", "Updated"]}
    >
      {shown.map((loop) => (
        <LoopRow key={loop.id} loop={loop} />
      ))}
    </Table>
  );
}

const LoopRow = stable<{ loop: LoopLine }>(({ loop }) => {
  const { id, title, part, door, tone, badge, why, proved, costUsd, updatedMs, doing } = loop;
  return (
    <tr>
      <td>
        <a class="id" href={hrefOf("loops", id)}>
          {id}
        </a>
      </td>
      <td class="wide">
        <a class="plain-link" href={hrefOf("loops", id)}>
          {title || id}
        </a>{" "}
        <span class="soft">{[...(part ? [] : [door]), ...(doing ? [doing.text] : [])].join(" · ")}</span>
      </td>
      <td>
        <Badge tone={tone} {...(why ? { title: why } : {})}>
          {badge}
        </Badge>
      </td>
      <td>{proved && <Proved {...proved} />}</td>
      <td class="number">{costUsd > 0 ? dollars(costUsd) : ""}</td>
      <td class="number">
        <Ago at={updatedMs} />
      </td>
    </tr>
  );
});
