import { newId } from "../../adapters/io/new-id.ts";
import type { Outbox } from "../../adapters/platforms/outbox.ts";
import type { AcceptedMessage, IncomingMessage } from "../../core/platform.ts";
import type { Conversation, RunEvent } from "../../core/workflow/events.ts";
import type { RunStatus } from "../../core/workflow/state.ts";
import type { NewMessage, RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import { cancelRun } from "../workflow/cancel.ts";
import type { LoadedWorkflows } from "../workflow/file/files.ts";
import { matchWorkflow } from "../workflow/file/triggers.ts";
import { prepareRun } from "../workflow/prepare.ts";
import { cancelledText, conversationStatus, errorText, helpText, queuedText, unmatchedText } from "./chat-messages.ts";
import { type ChatCommand, commandOf } from "./commands.ts";
import type { ChatRequest } from "./contract.ts";
import { logText } from "./drive.ts";
import type { Pool } from "./pool.ts";

interface MessageContext extends ChatRequest {
  pool: Pool;
  outbox: Outbox;
  workflows(): Promise<LoadedWorkflows>;
}

const OPEN: readonly RunStatus[] = ["queued", "running", "interrupted"];
/** More runs than this in one conversation come from a program that is out of control. */
const MAX_OPEN = 50;

/** Handles one message: the messages of a conversation are handled in order. */
export async function handleMessage(incoming: IncomingMessage, context: MessageContext): Promise<AcceptedMessage> {
  const conversation: Conversation = { platform: incoming.platform, id: incoming.conversation };
  const text = incoming.text.trim();
  const { externalId } = incoming;
  const message: NewMessage = {
    conversation,
    role: "user",
    content: text,
    run: null,
    ...(externalId === undefined ? {} : { externalId }),
  };
  const command = commandOf(text);
  if (command) return answerOnly(message, context, () => runCommand(command, conversation, context));
  const loaded = await context.workflows().catch((error: unknown) => errorText(error));
  if (typeof loaded === "string") return answerOnly(message, context, async () => loaded);
  const match = matchWorkflow(text, loaded.workflows);
  if (match.is !== "match") return answerOnly(message, context, async () => unmatchedText(match, loaded));
  const open = await context.workspace.runs.list({ conversation, status: OPEN, oldestFirst: true });
  const ahead = open.filter((run) => context.pool.isDue(run));
  const full = `${ahead.length} runs are queued here already: try again when some have ended.`;
  if (ahead.length >= MAX_OPEN) return answerOnly(message, context, async () => full);
  return startRun(message, { workflow: match.workflow, message: match.message, ahead }, context);
}

async function answerOnly(
  message: NewMessage,
  context: MessageContext,
  answer: () => Promise<string>,
): Promise<AcceptedMessage> {
  const { conversation } = message;
  const recorded = await context.workspace.runs.hear(message, null, Date.now());
  if (recorded) post(context, conversation, await answer(), null);
  return { conversationId: conversation.id, runId: null, isNew: recorded !== null };
}

const post = ({ outbox }: MessageContext, conversation: Conversation, content: string, run: string | null): void =>
  outbox.post({ conversation, content, role: "system", run, critical: false });

async function runCommand(command: ChatCommand, conversation: Conversation, context: MessageContext): Promise<string> {
  if (command === "help") return context.workflows().then(helpText, errorText);
  const { runs } = context.workspace;
  const open = await runs.list({ conversation, status: OPEN, oldestFirst: true });
  if (command === "cancel") return cancelAll(open, context);
  const [last] = open.length > 0 ? [] : await runs.list({ conversation, limit: 1 });
  return conversationStatus(open, last, Date.now());
}

/** Newest first, so that none of them starts because an older one has ended. */
async function cancelAll(open: readonly RunSummary[], context: MessageContext): Promise<string> {
  const { workspace, pool, log } = context;
  const by = "a message";
  const running: RunSummary[] = [];
  const waiting: RunSummary[] = [];
  for (const run of open.toReversed()) {
    if (pool.cancel(run.id, by)) running.unshift(run);
    else if (run.status === "queued") {
      await cancelRun(workspace, run.id, by);
      waiting.unshift(run);
    } else {
      // Its driver may need some time to stop the agent.
      cancelRun(workspace, run.id, by).catch((error: unknown) =>
        log(`run ${run.id}: not cancelled: ${logText(error)}`),
      );
      running.unshift(run);
    }
  }
  return cancelledText(running, waiting);
}

interface RequestedRun {
  workflow: Workflow;
  message: string;
  ahead: readonly RunSummary[];
}

/** Records a message and the run that it starts. A run that cannot be prepared is recorded as failed. */
async function startRun(message: NewMessage, wanted: RequestedRun, context: MessageContext): Promise<AcceptedMessage> {
  const { workspace, agent, settingsPath, pool, log } = context;
  const { conversation } = message;
  const { workflow, ahead } = wanted;
  const id = newId();
  const settings = settingsPath === undefined ? {} : { settingsPath };
  const asked = { workflow, message: wanted.message, conversation, agent };
  const prepared = await prepareRun({ workspace, ...asked, ...settings }).then(
    (event) => ({ is: "ready", event }) as const,
    (error: unknown) =>
      ({ is: "failed", error, event: { type: "run.started", ...asked, cwd: workspace.cwd, values: {} } }) as const,
  );
  const hold = pool.hold(id);
  try {
    const further = prepared.is === "failed" ? [failedBy(prepared.error)] : [];
    const run = { id, event: prepared.event, further };
    const recorded = await workspace.runs.hear({ ...message, run: id }, run, Date.now());
    if (!recorded) return { conversationId: conversation.id, runId: null, isNew: false };
    if (prepared.is === "failed") {
      log(`run ${id} of ${workflow.name} was not started: ${logText(prepared.error)}`);
      post(context, conversation, `**Not started**: ${workflow.name}\n\n${errorText(prepared.error)}`, id);
    } else if (ahead.length > 0 || pool.isFull) {
      post(context, conversation, queuedText(workflow.name, ahead, pool.running), id);
    }
    return { conversationId: conversation.id, runId: id, isNew: true };
  } finally {
    hold.release();
    pool.wake();
  }
}

const failedBy = (error: unknown): RunEvent => ({ type: "run.ended", status: "failed", detail: errorText(error) });
