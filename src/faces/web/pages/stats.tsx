import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { LEVELS } from "../../../core/proof/level.ts";
import { measureFor } from "../../../core/stats/amounts.ts";
import { binName, binsUpTo, inBin } from "../../../core/stats/bins.ts";
import { type CountBars, levelBars, levelSeries, reasonBars, stopBars } from "../../../core/stats/count-bars.ts";
import { dayColumns } from "../../../core/stats/days.ts";
import { seriesOf } from "../../../core/stats/figure.ts";
import { STATS_PLACES, type StageStats, type Stats as StatsValue } from "../../../core/stats/stats.ts";
import { type StatsTable, statsTables } from "../../../core/stats/tables.ts";
import { costWords, taskBars } from "../../../core/stats/task-bars.ts";
import { tiles } from "../../../core/stats/tiles.ts";
import { statsPlaceWords } from "../../../core/stats/words.ts";
import { Bars } from "../parts/bars.tsx";
import { Columns } from "../parts/columns.tsx";
import { EmptyState, Failed } from "../parts/empty-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Table } from "../parts/table.tsx";
import { useResource, useTouched } from "../resource.ts";
import { hrefOf, queryValue, setQuery } from "../router.ts";

/** The answer reads every journal: it is not asked for with each entry. */
const PAUSE_MS = 10_000;

const PERIODS = [
  ["", "All time"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
] as const;

/** What the loops took: the charts of `ralph stats`, live. */
export function Stats() {
  const since = queryValue("since");
  const path = since === "" ? "/api/stats" : `/api/stats?since=${encodeURIComponent(since)}`;
  const { value, failure, reload } = useResource<StatsValue>(path);
  useTouched(["loop/"], useRarely(reload));
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Statistics</h1>
        <div class="filters">
          <select
            class="input"
            aria-label="Period"
            value={since}
            onChange={({ currentTarget }) => setQuery({ since: currentTarget.value })}
          >
            {PERIODS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
      {failure && !value && <Failed failure={failure} retry={reload} />}
      {!failure && !value && <Skeleton lines={6} />}
      {value && <StatsBody stats={value} isAll={since === ""} />}
    </>
  );
}

/** Calls it at most every few seconds, and always after the last call. */
function useRarely(then: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      then();
    }, PAUSE_MS);
  }, [then]);
}

function StatsBody({ stats, isAll }: { stats: StatsValue; isAll: boolean }) {
  if (stats.totals.loops === 0)
    return isAll ? (
      <EmptyState title="No loop has run here yet" command='ralph run "Make the tests pass" --verify "npm test"' />
    ) : (
      <EmptyState title="No loop in this period" />
    );
  const names = LEVELS.map((level) => ({ name: level, series: levelSeries(level) }));
  return (
    <>
      <dl class="tiles">
        {tiles(stats).map(({ name, value }) => (
          <div key={name} class="tile">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="columns">
        <CountFigure figure={levelBars(stats)} names={names} />
        <CountFigure figure={stopBars(stats)} />
      </div>
      <Days stats={stats} />
      <Completion stages={stats.stages} />
      <div class="columns">
        <Costs stats={stats} />
        <CountFigure figure={reasonBars(stats)} />
      </div>
      <section class="block">
        <h2>The numbers</h2>
        {statsTables(stats).map((table) => (
          <Numbers key={table.title} table={table} />
        ))}
      </section>
    </>
  );
}

function Figure({ title, about, children }: { title: string; about: string; children: ComponentChildren }) {
  return (
    <section class="block figure-box">
      <h2>{title}</h2>
      {about !== "" && <p class="soft figure-about">{about}</p>}
      {children}
    </section>
  );
}

const whole = (value: number): string => String(Math.round(value));

function CountFigure({
  figure: { title, about, bars, empty },
  names = [],
}: {
  figure: CountBars;
  names?: readonly { name: string; series: number }[];
}) {
  return (
    <Figure title={title} about={about}>
      {bars.length > 0 ? <Bars label={title} bars={bars} words={whole} names={names} /> : <p class="soft">{empty}</p>}
    </Figure>
  );
}

function Days({ stats }: { stats: StatsValue }) {
  const found = dayColumns(stats);
  if (!found) return null;
  const { title, about, columns, measure } = found;
  return (
    <Figure title={title} about={about}>
      <Columns label={title} columns={columns} words={measure.words} series={0} />
    </Figure>
  );
}

const COMPLETION = "Iterations to completion";

function Completion({ stages }: { stages: readonly StageStats[] }) {
  const done = stages.filter(({ toCompletion }) => toCompletion !== null);
  if (done.length === 0) return null;
  const bins = binsUpTo(Math.max(...done.map(({ toCompletion }) => toCompletion?.max ?? 0)));
  return (
    <Figure title={COMPLETION} about="How many iterations the completed loops needed, at any level of proof.">
      <div class="small-charts">
        {done.map(({ place, toCompletion }) => (
          <section key={place} aria-label={statsPlaceWords(place)}>
            <h3>{statsPlaceWords(place)}</h3>
            <p class="soft">
              median {toCompletion?.median}, 90 % within {toCompletion?.p90}
            </p>
            <Columns
              label={`${COMPLETION}, ${statsPlaceWords(place)}: loops by number of iterations`}
              columns={bins.map((bin) => ({ name: binName(bin), value: toCompletion ? inBin(toCompletion, bin) : 0 }))}
              words={whole}
              series={seriesOf(place)}
              whole
            />
          </section>
        ))}
      </div>
    </Figure>
  );
}

function Costs({ stats }: { stats: StatsValue }) {
  const measure = measureFor(stats.totals);
  const { title, about } = costWords(stats);
  const { bars, more } = taskBars(stats, measure);
  const used = STATS_PLACES.filter((place) =>
    bars.some(({ pieces }) => pieces.some(({ series }) => series === seriesOf(place))),
  );
  const kind = stats.tasks.length > 0 ? "tasks" : "loops";
  const known = new Set(
    stats.tasks.length > 0 ? stats.tasks.map(({ task }) => task) : stats.own.map(({ loop }) => loop),
  );
  return (
    <Figure title={title} about={[about, more].filter(Boolean).join(" ")}>
      {bars.length > 0 ? (
        <Bars
          label={title}
          bars={bars}
          words={measure.words}
          names={used.map((place) => ({ name: statsPlaceWords(place), series: seriesOf(place) }))}
          hrefOf={(name) => (known.has(name) ? hrefOf(kind, name) : null)}
        />
      ) : (
        <p class="soft">No loop has cost anything yet.</p>
      )}
    </Figure>
  );
}

const MOST_ROWS = 200;

/** The numbers behind the charts. */
function Numbers({ table: { title, heads, rows, numbers } }: { table: StatsTable }) {
  return (
    <details class="numbers">
      <summary>
        {title} <span class="count">{rows.length}</span>
      </summary>
      <Table caption={title} columns={heads} numbers={numbers.map((i) => heads[i] ?? "")}>
        {rows.slice(0, MOST_ROWS).map((row, i) => (
          <tr key={i}>
            {row.map((cell, column) => (
              <td key={column} class={numbers.includes(column) ? "number" : ""}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {rows.length > MOST_ROWS && (
        <p class="soft">
          {rows.length - MOST_ROWS} more: <code>ralph stats --json</code>
        </p>
      )}
    </details>
  );
}
