import { noteSession, sessionEntry } from "../../adapters/hosts/session-index.ts";
import { loopOfTask } from "../../adapters/store/named.ts";
import { inWorkspace, type Workspace } from "../../adapters/store/workspace.ts";
import type { HostSession } from "../../core/host.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { isHeld } from "./host-loop.ts";

/** The loop that a session has, or had last. */
export interface SessionLoop {
  workspace: Workspace;
  loop: LoopSummary;
  /** Whether it is active here; otherwise it has stopped, or is active elsewhere. */
  isHere: boolean;
}

/** Finds the loop of a session and passes it to `use`; null if there is none. */
export async function withSessionLoop<T>(
  session: HostSession,
  use: (found: SessionLoop | null) => Promise<T>,
): Promise<T> {
  const entry = sessionEntry(session);
  return await inWorkspace({ cwd: entry?.cwd ?? session.cwd }, async (workspace) => {
    const named = await loopOfTask(workspace, entry?.loop ?? null);
    const loop = named && isHeld(named, session) ? named : ((await lastOf(workspace, session)) ?? named);
    if (!loop) return await use(null);
    const isHere = isHeld(loop, session);
    // The index may have been lost; the journal decides.
    if (isHere && entry?.loop !== loop.id) noteSession(session, { loop: loop.id, cwd: session.cwd });
    return await use({ workspace, loop, isHere });
  });
}

/** The newest loop of a session, active ones first. */
async function lastOf({ store }: Workspace, session: HostSession): Promise<LoopSummary | null> {
  const loops = await store.summaries({ session: session.id, limit: MOST });
  return loops.find((loop) => isHeld(loop, session)) ?? loops[0] ?? null;
}

const MOST = 20;
