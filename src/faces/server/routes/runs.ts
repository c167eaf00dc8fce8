import { randomUUID } from "node:crypto";
import { HTTP } from "../../../adapters/platforms/platforms.ts";
import { shownRunEvent, shownRunState } from "../../../core/redact.ts";
import { cancelRunOperation, listRunEntries, listRuns, resumeRun, showRun } from "../../../core/schema/api-runs.ts";
import { listWorkflows, showWorkflow, startRun } from "../../../core/schema/api-workflows.ts";
import { cancelRun } from "../../../doors/workflow/cancel.ts";
import { loadWorkflows, workflowNamed } from "../../../doors/workflow/file/files.ts";
import { withHolders, withRunHolder, withRunHolders } from "../../../engine/named.ts";
import { BY_HTTP, journalPage, type Route, route } from "../route.ts";

const SHOWN_LOOPS = 50;

/** Workflows and their runs: what `ralph workflow` does. */
export const runRoutes: readonly Route[] = [
  route(listWorkflows, ({ context: { workspace } }) => loadWorkflows(workspace.cwd)),
  route(showWorkflow, ({ context: { workspace }, params }) => workflowNamed(workspace.cwd, params.workflow)),
  route(startRun, async ({ context: { workspace, chat }, params, body }) => {
    const { name } = await workflowNamed(workspace.cwd, params.workflow);
    const conversation = body.conversationId ?? randomUUID();
    // The colon separates the name from the message.
    const text = `/workflow run ${name}: ${body.message}`;
    const { conversationId, runId } = await chat.accept({ platform: HTTP, conversation, text });
    return { conversationId, runId };
  }),
  route(listRuns, async ({ context: { workspace }, query: { status, platform = HTTP, conversation, limit } }) => {
    const runs = await workspace.runs.list({
      limit,
      ...(status ? { status: [status] } : {}),
      ...(conversation ? { conversation: { platform, id: conversation } } : {}),
    });
    return { runs: await withRunHolders(workspace, runs) };
  }),
  route(showRun, async ({ context: { workspace }, params }) => {
    const run = await withRunHolder(workspace, await workspace.runs.find(params.run));
    const { state } = await workspace.runs.load(run.id);
    const loops = await workspace.store.summaries({ run: run.id, limit: SHOWN_LOOPS });
    return { ...run, state: shownRunState(state), loops: await withHolders(workspace, loops) };
  }),
  route(listRunEntries, async ({ context: { workspace }, params, query: { after, limit } }) => {
    const { id } = await workspace.runs.find(params.run);
    const { entries, next } = await journalPage(workspace.runs.entries(id, after), limit);
    return { entries: entries.map((entry) => ({ ...entry, event: shownRunEvent(entry.event) })), next };
  }),
  route(cancelRunOperation, async ({ context: { workspace }, params }) => {
    const { id } = await workspace.runs.find(params.run);
    const { is } = await cancelRun(workspace, id, BY_HTTP);
    return { ...(await withRunHolder(workspace, await workspace.runs.find(id))), cancelled: is !== "idle" };
  }),
  route(resumeRun, async ({ context: { workspace, chat }, params }) => {
    const { id } = await workspace.runs.find(params.run);
    await chat.resume(id);
    return { runId: id };
  }),
];
