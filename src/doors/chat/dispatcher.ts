import { openOutbox } from "../../adapters/platforms/outbox.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { IncomingMessage } from "../../core/platform.ts";
import { ENDED } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Dispatcher, DispatcherRequest, Heard } from "./contract.ts";
import { driveFor, noteDropped } from "./drive.ts";
import { take } from "./handle-message.ts";
import { inOrder } from "./keyed-mutex.ts";
import { openPool } from "./pool.ts";
import { openLibrary } from "./workflow-cache.ts";

const MOST_CHARS = 100_000;
const TELL_MS = 5_000;

/** Opens the conversations of a repository, and takes up the runs that an earlier server has left. */
export async function openDispatcher(request: DispatcherRequest): Promise<Dispatcher> {
  const { workspace, platforms, maxParallel, log } = request;
  const lease = await workspace.leases.take("conversations");
  if (!lease) throw held();
  const oneByOne = inOrder();
  const onLateDrop = (run: string) => void oneByOne(`run ${run}`, () => noteDropped(workspace, run, log));
  const outbox = openOutbox({ runs: workspace.runs, platforms, log, onLateDrop });
  const left = await leftRuns(request);
  const drive = driveFor({ workspace, outbox, log });
  const pool = openPool({ runs: workspace.runs, left, maxParallel, drive, log });
  const library = openLibrary(workspace.cwd);
  let isClosed = false;
  pool.wake();
  return {
    async hear(incoming): Promise<Heard> {
      if (isClosed) throw new RalphError("closing", "the server is stopping", { hint: "say it again when it is back" });
      refuse(incoming);
      return oneByOne(`${incoming.platform}:${incoming.conversation}`, () =>
        take(incoming, { ...request, pool, outbox, library }),
      );
    },
    running: () => pool.running,
    async resume(id) {
      const run = await workspace.runs.find(id);
      await refuseResume(workspace, run);
      pool.takeUp(run);
    },
    hurry: () => pool.hurry(),
    async idle() {
      await pool.idle();
      await outbox.recorded();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await oneByOne.idle();
      await pool.close();
      const { dropped } = await outbox.close(TELL_MS);
      if (dropped > 0) log(`${dropped} message${dropped === 1 ? "" : "s"} could not be delivered`);
      await oneByOne.idle();
      lease.release();
    },
  };
}

const held = (): RalphError =>
  new RalphError("conversations-held", "another ralph serve looks after the conversations of this repository", {
    hint: "stop that one first, or talk to it",
    exitCode: EXIT.usage,
  });

function refuse({ text, conversation }: IncomingMessage): void {
  const wrong =
    text.trim() === ""
      ? "a message that says nothing"
      : text.length > MOST_CHARS
        ? `a message of ${text.length} characters; ${MOST_CHARS} are the most`
        : conversation.trim() === "" || conversation.length > 200
          ? "the name of a conversation: 1 to 200 characters"
          : null;
  if (wrong !== null) throw new RalphError("message-refused", wrong, { hint: "send a shorter text, with words in it" });
}

/** Refuses to go on with a run that is over, that somebody drives, or that nobody here could be told about. */
async function refuseResume(workspace: Workspace, { id, status, conversation }: RunSummary): Promise<void> {
  if (ENDED.has(status)) throw new RalphError("run-ended", `run ${id} is over: ${status}`, { hint: "start a new one" });
  if (!conversation)
    throw new RalphError("run-elsewhere", `run ${id} was started on the command line`, {
      hint: `\`ralph workflow resume ${id}\` goes on with it`,
    });
  if (status !== "interrupted" && (await workspace.leases.isTaken({ kind: "run", id })))
    throw new RalphError("run-held", `run ${id} is being driven`, { hint: "nothing is to be done" });
}

/** Those of conversations that nobody drives any more, in the order in which they were asked for; one that waits for a person still does. */
async function leftRuns({ workspace, log }: DispatcherRequest): Promise<RunSummary[]> {
  const runs = await workspace.runs.list({ status: ["running", "interrupted"], talking: true, oldestFirst: true });
  const left: RunSummary[] = [];
  for (const run of runs) {
    if (await workspace.leases.isTaken({ kind: "run", id: run.id }))
      log(`run ${run.id} of ${run.workflow} is driven elsewhere`);
    else if (!(await workspace.runs.load(run.id)).state.waits) left.push(run);
  }
  if (left.length > 0) log(`going on with ${left.length} run${left.length === 1 ? "" : "s"} of before`);
  return left;
}
