import type { TaskPage } from "../../../../core/view/task-page.ts";
import { Fact } from "../../parts/fact.tsx";

/** Where the work is. */
export function Places({ page: { branch, target, worktree, merged } }: { page: TaskPage }) {
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
