import { TONE_MARKS } from "../../../../core/view/marks.ts";
import type { HistoryLine, TaskPage } from "../../../../core/view/task-page.ts";
import { hrefOf } from "../../router.ts";

/** What has happened to a task, the oldest first. */
export function History({ page: { history, earlier } }: { page: TaskPage }) {
  if (history.length === 0) return null;
  return (
    <section class="block">
      <h2>History</h2>
      {earlier > 0 && <p class="soft">{earlier} earlier lines are left out.</p>}
      <ol class="history">
        {history.map((line, i) => (
          <li key={i}>
            <Line {...line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const MOMENT = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;

function Line({ atMs, tone, words, details, loop }: HistoryLine) {
  const at = new Date(atMs);
  return (
    <>
      <time class="clock soft" dateTime={at.toISOString()}>
        {at.toLocaleString(undefined, MOMENT)}
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
    </>
  );
}
