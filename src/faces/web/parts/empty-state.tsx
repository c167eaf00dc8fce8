import type { ComponentChildren } from "preact";
import type { Failure } from "../api.ts";

/** What a page shows when there is nothing, with the command that changes that. */
export function EmptyState({
  title,
  command,
  children,
}: {
  title: string;
  command?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="soft">{children}</div>}
      {command && (
        <p>
          <code class="command">{command}</code>
        </p>
      )}
    </div>
  );
}

/** Why something could not be read, in the server's words. */
export function Failed({ failure, retry }: { failure: Failure; retry?: () => void }) {
  return (
    <div class="empty" role="alert">
      <p class="empty-title">{failure.message}</p>
      {failure.hint && <p class="soft">{failure.hint}</p>}
      {retry && (
        <button type="button" class="button plain" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
