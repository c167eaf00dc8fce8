import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Board } from "./pages/board.tsx";
import { Overview } from "./pages/overview.tsx";
import { EmptyState } from "./parts/empty-state.tsx";
import { Skeleton } from "./parts/skeleton.tsx";
import type { PageName } from "./router.ts";

export type Page = ComponentType<{ id: string }>;

/** Pages that are loaded when they are opened. */
const LAZY: Partial<Record<PageName, () => Promise<Page>>> = {
  workflows: async () => (await import("./pages/workflows.tsx")).Workflows,
  run: async () => (await import("./pages/run.tsx")).Run,
  new: async () => (await import("./pages/new-task.tsx")).NewTask,
  loops: async () => (await import("./pages/loops.tsx")).Loops,
  loop: async () => (await import("./pages/loop.tsx")).Loop,
  stats: async () => (await import("./pages/stats.tsx")).Stats,
  task: async () => (await import("./pages/task.tsx")).Task,
};
const READY: Partial<Record<PageName, Page>> = { overview: Overview, board: Board };

const loaded = new Map<PageName, Page>();

/** The page of a route. A page that cannot be loaded, as after an update of the server, says so. */
export function PageOf({ page, id, onShown }: { page: PageName; id: string; onShown(): void }) {
  const [, setArrived] = useState<PageName | null>(null);
  const [failed, setFailed] = useState(false);
  const Known = READY[page] ?? loaded.get(page);
  const load = LAZY[page];
  useEffect(() => {
    setFailed(false);
    if (Known || !load) return;
    void load().then(
      (found) => {
        loaded.set(page, found);
        setArrived(page);
      },
      () => setFailed(true),
    );
  }, [page, Known, load]);
  const isShown = Known !== undefined || !load;
  // Once for each page that arrives.
  useEffect(() => {
    if (isShown) onShown();
  }, [page, id, isShown]);
  if (Known) return <Known key={`${page}/${id}`} id={id} />;
  if (failed)
    return (
      <EmptyState title="This page could not be loaded">Reload it: the server was updated or has stopped.</EmptyState>
    );
  return load ? <Skeleton lines={6} /> : <Missing />;
}

function Missing() {
  return (
    <>
      <h1 tabIndex={-1}>Not found</h1>
      <EmptyState title="There is nothing at this address">
        <a href="/">Back to the overview</a>
      </EmptyState>
    </>
  );
}
