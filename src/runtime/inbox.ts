import type { Workspace } from "../adapters/store/workspace.ts";
import { stopOf } from "../core/store.ts";
import type { StopControl } from "../engine/stop-control.ts";

/** How often other processes' requests are looked for. */
const INBOX_MS = 200;

/** Takes up what another process has asked of a loop, if it has. */
export async function takeRequest({ store }: Workspace, id: string, stops: StopControl): Promise<void> {
  const [request] = await store.requests(id);
  if (request && !stops.request()) stops.ask(stopOf(request));
}

/** A look that fails is made again: a request must not be lost, and the loop's own writes tell of a broken journal. */
export function watchInbox(workspace: Workspace, id: string, stops: StopControl): { close(): void } {
  const hasNews = workspace.store.watchNews();
  let missed = false;
  const look = async () => {
    if (!hasNews() && !missed) return;
    await takeRequest(workspace, id, stops);
    missed = false;
  };
  const looking = setInterval(() => {
    look().catch(() => {
      missed = true;
    });
  }, INBOX_MS);
  return { close: () => clearInterval(looking) };
}
