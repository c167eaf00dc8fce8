import { openOutbox } from "../../adapters/platforms/outbox.ts";
import type { OpenPlatform } from "../../adapters/platforms/platform.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { AcceptedMessage, IncomingMessage, PlatformMessage } from "../../core/platform.ts";
import { hasEnded } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Chat, ChatRequest } from "./contract.ts";
import { noteDropped, runDriver } from "./drive.ts";
import { handleMessage } from "./handle-message.ts";
import { keyedMutex } from "./keyed-mutex.ts";
import { openPool } from "./pool.ts";
import { workflowCache } from "./workflow-cache.ts";

const MAX_CHARS = 100_000;
const SEND_MS = 5_000;

/** Opens the conversations of a repository and resumes runs left by an earlier server. */
export async function openChat(request: ChatRequest): Promise<Chat> {
  const { workspace, platforms, maxParallel, log } = request;
  const lease = await workspace.leases.take("conversations");
  if (!lease) throw heldElsewhere();
  const oneByOne = keyedMutex();
  const onLateDrop = (run: string) => void oneByOne(`run ${run}`, () => noteDropped(workspace, run, log));
  const outbox = openOutbox({ runs: workspace.runs, outbounds: outboundsOf(platforms), log, onLateDrop });
  const left = await leftRuns(request);
  const drive = runDriver({ workspace, outbox, log });
  const pool = openPool({ runs: workspace.runs, left, maxParallel, drive, log });
  const workflows = workflowCache(workspace.cwd);
  const quit = new AbortController();
  let isClosed = false;

  async function accept(incoming: IncomingMessage): Promise<AcceptedMessage> {
    if (isClosed) throw new RalphError("closing", "the server is stopping", { hint: "send it again when it is back" });
    refuseUnusable(incoming);
    return oneByOne(`${incoming.platform}:${incoming.conversation}`, () =>
      handleMessage(incoming, { ...request, pool, outbox, workflows }),
    );
  }

  pool.wake();
  const polling = followAll(platforms, { accept, log, quit: quit.signal });
  return {
    accept,
    async receive(platform, request) {
      const inbound = platforms.get(platform)?.inbound;
      if (inbound?.by !== "request") throw notSetUp(platform);
      return inbound.receive(request, (message) => accept({ ...message, platform }));
    },
    running: () => pool.running,
    async resume(id) {
      const run = await workspace.runs.find(id);
      await refuseResume(workspace, run);
      pool.resume(run);
    },
    hurry: () => pool.hurry(),
    async idle() {
      await pool.idle();
      await outbox.recorded();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      quit.abort();
      await oneByOne.idle();
      await Promise.all([pool.close(), polling]);
      const { dropped } = await outbox.close(SEND_MS);
      if (dropped > 0) log(`${dropped} message${dropped === 1 ? "" : "s"} could not be delivered`);
      await oneByOne.idle();
      lease.release();
    },
  };
}

const outboundsOf = (platforms: ReadonlyMap<string, OpenPlatform>) =>
  new Map([...platforms].flatMap(([name, { outbound }]) => (outbound ? [[name, outbound] as const] : [])));

async function followAll(
  platforms: ReadonlyMap<string, OpenPlatform>,
  { accept, log, quit }: Pick<Chat, "accept"> & Pick<ChatRequest, "log"> & { quit: AbortSignal },
): Promise<void> {
  const follow = async (platform: string, { inbound }: OpenPlatform) => {
    if (inbound.by !== "polling") return;
    const prefixed = (line: string) => log(`${platform}: ${line}`);
    const acceptOrSkip = async (message: PlatformMessage): Promise<AcceptedMessage> => {
      try {
        return await accept({ ...message, platform });
      } catch (error) {
        // It would be refused again at every poll.
        if (!(error instanceof RalphError) || error.code !== "message-refused") throw error;
        prefixed(error.message);
        return { conversationId: message.conversation, runId: null, isNew: false };
      }
    };
    await inbound.follow({ accept: acceptOrSkip, log: prefixed, quit });
  };
  await Promise.all([...platforms].map(([name, platform]) => follow(name, platform)));
}

const notSetUp = (platform: string): RalphError =>
  new RalphError("platform-missing", `the platform ${platform} is not set up here`, {
    hint: `add platforms.${platform} to .ralph/settings.json`,
  });

const heldElsewhere = (): RalphError =>
  new RalphError("conversations-held", "another ralph serve handles the conversations of this repository", {
    hint: "stop that one first, or use it",
    exitCode: EXIT.usage,
  });

function refuseUnusable({ text, conversation }: IncomingMessage): void {
  const fault =
    text.trim() === ""
      ? "an empty message"
      : text.length > MAX_CHARS
        ? `a message of ${text.length} characters; the limit is ${MAX_CHARS}`
        : conversation.trim() === "" || conversation.length > 200
          ? "the id of a conversation has 1 to 200 characters"
          : null;
  if (fault !== null) throw new RalphError("message-refused", fault, { hint: "send a shorter text that is not empty" });
}

/** Refuses to resume a run that has ended, that another process drives, or that has no conversation. */
async function refuseResume(workspace: Workspace, { id, status, conversation }: RunSummary): Promise<void> {
  if (hasEnded(status))
    throw new RalphError("run-ended", `run ${id} has ended: ${status}`, { hint: "start a new one" });
  if (!conversation)
    throw new RalphError("run-elsewhere", `run ${id} was started on the command line`, {
      hint: `resume it with \`ralph workflow resume ${id}\``,
    });
  if (status !== "interrupted" && (await workspace.leases.isTaken({ kind: "run", id })))
    throw new RalphError("run-held", `run ${id} is being driven`, { hint: "nothing to do" });
}

/** Runs of conversations without a driver, oldest first, except those that wait for the user. */
async function leftRuns({ workspace, log }: ChatRequest): Promise<RunSummary[]> {
  const runs = await workspace.runs.list({ status: ["running", "interrupted"], talking: true, oldestFirst: true });
  const left: RunSummary[] = [];
  for (const run of runs) {
    if (await workspace.leases.isTaken({ kind: "run", id: run.id }))
      log(`run ${run.id} of ${run.workflow} is driven elsewhere`);
    else if (!(await workspace.runs.load(run.id)).state.waits) left.push(run);
  }
  if (left.length > 0) log(`resuming ${left.length} run${left.length === 1 ? "" : "s"} of an earlier server`);
  return left;
}
