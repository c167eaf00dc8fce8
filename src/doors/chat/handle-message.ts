import type { Outbox } from "../../adapters/platforms/outbox.ts";
import type { IncomingMessage } from "../../core/platform.ts";
import type { Conversation, RunEvent, RunStarted } from "../../core/workflow/events.ts";
import type { RunStatus } from "../../core/workflow/state.ts";
import type { NewMessage, RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import { cancelRun } from "../workflow/cancel.ts";
import type { LoadedWorkflows } from "../workflow/file/files.ts";
import { matchWorkflow } from "../workflow/file/triggers.ts";
import { prepareRun } from "../workflow/prepare.ts";
import { newRunId } from "../workflow/run.ts";
import {
  cancelledWords,
  chatErrorText,
  chatStatusWords,
  helpWords,
  queuedWords,
  unmatchedWords,
} from "./chat-messages.ts";
import { type Command, commandOf } from "./commands.ts";
import type { DispatcherRequest, Heard } from "./contract.ts";
import { logWords } from "./drive.ts";
import type { Pool } from "./pool.ts";

/** What messages are taken with. */
interface Taking extends DispatcherRequest {
  pool: Pool;
  outbox: Outbox;
  library(): Promise<LoadedWorkflows>;
}

const OPEN: readonly RunStatus[] = ["queued", "running", "interrupted"];
/** More than this in one conversation is a mistake of a machine. */
const MOST_OPEN = 50;

/** Takes one message: the next one of its conversation is taken only then. */
export async function take(incoming: IncomingMessage, taking: Taking): Promise<Heard> {
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
  if (command) return onlySaid(message, taking, () => obey(command, conversation, taking));
  const loaded = await taking.library().catch((error: unknown) => chatErrorText(error));
  if (typeof loaded === "string") return onlySaid(message, taking, async () => loaded);
  const match = matchWorkflow(text, loaded.workflows);
  if (match.is !== "match") return onlySaid(message, taking, async () => unmatchedWords(match, loaded));
  const open = await taking.workspace.runs.list({ conversation, status: OPEN, oldestFirst: true });
  const ahead = open.filter((run) => taking.pool.isDue(run));
  if (ahead.length >= MOST_OPEN)
    return onlySaid(
      message,
      taking,
      async () => `${ahead.length} runs wait here already: say it again when some are done.`,
    );
  return begin(message, { workflow: match.workflow, message: match.message, ahead }, taking);
}

/** A message that starts nothing, and the answer to it. */
async function onlySaid(message: NewMessage, taking: Taking, answer: () => Promise<string>): Promise<Heard> {
  const { conversation } = message;
  const heard = await taking.workspace.runs.hear(message, null, Date.now());
  if (heard) say(taking, conversation, await answer(), null);
  return { conversationId: conversation.id, runId: null, isNew: heard !== null };
}

const say = ({ outbox }: Taking, conversation: Conversation, content: string, run: string | null): void =>
  outbox.say({ conversation, content, role: "system", run, critical: false });

async function obey(command: Command, conversation: Conversation, taking: Taking): Promise<string> {
  if (command === "help") return taking.library().then(helpWords, chatErrorText);
  const { runs } = taking.workspace;
  const open = await runs.list({ conversation, status: OPEN, oldestFirst: true });
  if (command === "cancel") return cancelAll(open, taking);
  const [last] = open.length > 0 ? [] : await runs.list({ conversation, limit: 1 });
  return chatStatusWords(open, last, Date.now());
}

/** The youngest first, so that none of them begins because an older one has ended. */
async function cancelAll(open: readonly RunSummary[], taking: Taking): Promise<string> {
  const { workspace, pool, log } = taking;
  const by = "a message";
  const running: RunSummary[] = [];
  const waiting: RunSummary[] = [];
  for (const run of open.toReversed()) {
    if (pool.cancel(run.id, by)) running.unshift(run);
    else if (run.status === "queued") {
      await cancelRun(workspace, run.id, by);
      waiting.unshift(run);
    } else {
      // Whoever drives it may take a while to end its agent.
      cancelRun(workspace, run.id, by).catch((error: unknown) =>
        log(`run ${run.id}: not cancelled: ${logWords(error)}`),
      );
      running.unshift(run);
    }
  }
  return cancelledWords(running, waiting);
}

interface Wanted {
  workflow: Workflow;
  /** What the workflow is told. */
  message: string;
  ahead: readonly RunSummary[];
}

/** Writes a message down with the run that it starts. One that cannot be prepared is a run that has failed: nobody ever drives it. */
async function begin(message: NewMessage, wanted: Wanted, taking: Taking): Promise<Heard> {
  const { workspace, agent, settingsPath, pool, log } = taking;
  const { conversation } = message;
  const { workflow, ahead } = wanted;
  const id = newRunId();
  const settings = settingsPath === undefined ? {} : { settingsPath };
  const asked = { workflow, message: wanted.message, conversation, agent };
  const prepared = await prepareRun({ workspace, ...asked, ...settings }).then(
    (event) => ({ is: "ready", event }) as const,
    (error: unknown) => ({ is: "failed", error, event: unprepared(asked, workspace.cwd) }) as const,
  );
  const hold = pool.hold(id);
  try {
    const further = prepared.is === "failed" ? [failedBy(prepared.error)] : [];
    const run = { id, event: prepared.event, further };
    const heard = await workspace.runs.hear({ ...message, run: id }, run, Date.now());
    if (!heard) return { conversationId: conversation.id, runId: null, isNew: false };
    if (prepared.is === "failed") {
      log(`run ${id} of ${workflow.name} was not started: ${logWords(prepared.error)}`);
      say(taking, conversation, `**Not started**: ${workflow.name}\n\n${chatErrorText(prepared.error)}`, id);
    } else if (ahead.length > 0 || pool.isFull) {
      say(taking, conversation, queuedWords(workflow.name, ahead, pool.running), id);
    }
    return { conversationId: conversation.id, runId: id, isNew: true };
  } finally {
    hold.letGo();
    pool.wake();
  }
}

const failedBy = (error: unknown): RunEvent => ({ type: "run.ended", status: "failed", detail: chatErrorText(error) });

const unprepared = (
  asked: Pick<RunStarted, "workflow" | "message" | "conversation" | "agent">,
  cwd: string,
): RunStarted => ({
  type: "run.started",
  ...asked,
  cwd,
  values: {},
});
