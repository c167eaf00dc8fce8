import type { TaskPage } from "../../../../core/view/task-page.ts";
import { hrefOf } from "../../router.ts";

/** The tasks before it, and those that came of it. */
export function Related({ page: { dependencies, followups } }: { page: TaskPage }) {
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
