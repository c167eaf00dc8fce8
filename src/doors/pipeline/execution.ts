import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { openMutex } from "../../adapters/io/mutex.ts";
import { startThrough } from "../../adapters/io/program.ts";
import { excludeRalphFiles } from "../../adapters/io/ralph-folder.ts";
import { openStarter } from "../../adapters/io/starter.ts";
import { settled } from "../../adapters/io/timer.ts";
import { RalphError } from "../../core/errors.ts";
import { holderText } from "../../core/holder.ts";
import { stopWords } from "../../core/task/left.ts";
import type { TaskState } from "../../core/task/state.ts";
import { isBegun, type TaskStatus } from "../../core/task/task.ts";
import { CORE_VERSION } from "../../core/version.ts";
import type { Workspace } from "../../core/workspace.ts";
import { type StopControl, stopControl } from "../../engine/stop-control.ts";
import { type DriverProcess, openDriver, ownHolder, watchStops } from "../../runtime/driver.ts";
import { openBudget } from "./budget.ts";
import { type ExecutionContext, type TaskEnd, type TaskLedger, withoutPaths } from "./context.ts";
import type { ExecutionEnd, Failure } from "./execution-end.ts";
import { openExecutionLog } from "./execution-log.ts";
import { type ExecutionBeat, openExecutionBeat } from "./execution-pulse.ts";
import { finishedFacts } from "./finished.ts";
import { targetNotice } from "./merge/target-notice.ts";
import { type Picked, pickTask, wanted } from "./pick.ts";
import { openPins, taskDigest } from "./pins/pins.ts";
import type { SettingsPin } from "./pins/settings-pin.ts";
import { SET_UP_FAILED } from "./ready.ts";
import { sweepCopies } from "./stage/copy.ts";
import { restartTask } from "./stage/restart.ts";
import { leftTasks } from "./stalled-tasks.ts";
import { runTask, takeTask } from "./task-run.ts";
import { sweepMerged } from "./tasks/task-worktrees.ts";
import { tellFinished } from "./tell-finished.ts";

interface ExecutionRequest
  extends Pick<ExecutionContext, "workspace" | "cwd" | "target" | "stages" | "limits" | "budget" | "view"> {
  settingsPin: SettingsPin;
  acceptChanges: boolean;
  /** Interrupted tasks begin again with the settings of now. */
  restart: boolean;
  spec: string | null;
  /** Only these tasks; null: every ready task. */
  only: readonly string[] | null;
  maxParallel: number;
  stops: StopControl;
}

/** Runs ready tasks, several at a time, until none is left or a stop is requested. */
export async function execute(request: ExecutionRequest): Promise<ExecutionEnd> {
  const { workspace, cwd, stops, view, spec, only } = request;
  const id = randomBytes(4).toString("hex");
  const startedMs = Date.now();
  if (only !== null) await wanted(workspace, only, `ralph execute (pid ${process.pid})`);
  const budget = await openBudget({
    limits: request.budget,
    store: workspace.store,
    spentUp(why) {
      view.say(null, `the budget is used up: ${why}`);
      if (!stops.request()) stops.ask({ as: "budget", by: why });
    },
  });
  await sweepCopies(workspace, cwd);
  await sweepMerged(workspace, cwd);
  warnAboutSubmodules(request);
  const excluded = excludeRalphFiles(cwd);
  if (excluded !== null) view.note({ type: "files.excluded", path: excluded });
  const notice = await targetNotice(cwd, request.target);
  if (notice) view.say(null, notice);
  const inWork = new Set<string>();
  const pins = await openPins({ ...request, isInWork: (one) => inWork.has(one) });
  const { settingsPin } = request;
  const look = async () => void (await Promise.all([pins.look(), settingsPin.look(), budget.look()]));
  const looking = setInterval(() => look().catch(lookAgain), LOOK_MS);
  const log = openExecutionLog(cwd, workspace.store);
  const driver = await openDriver(workspace);
  const watch = watchStops(workspace, { kind: "execution", id }, { stops, lease: null });
  // A task runs git several hundred times.
  const startDirectly = startThrough(openStarter());
  const beat = await openExecutionBeat(workspace, { ...request, id, startedMs });
  const shared = { id, log, spending: budget, merging: openMutex(), beat, ...driver };
  const pool = openPool({ ...request, ...shared, pins, look, enter: entering(inWork, beat) });
  const endOf = async (ends: readonly Ended[], failure: Failure | null): Promise<ExecutionEnd> => {
    const counts = only === null ? await workspace.tasks.counts(spec ?? undefined) : await countsOf(workspace, only);
    const left = await leftTasks({ workspace, spec, only, pins });
    const changed = [...pins.kept(), ...settingsPin.kept()];
    const took = { spent: budget.spent, ms: Date.now() - startedMs };
    return { execution: id, stopped: stops.request(), ...provenIn(ends), counts, left, changed, failure, ...took };
  };
  const tell = (end: ExecutionEnd, error?: string) =>
    tellFinished(finishedFacts(end, { cwd, ...(error === undefined ? {} : { error }) }), {
      ...{ notify: settingsPin.settings.all.notify, stops, view },
      ...driver,
    });
  try {
    const { ends, failure } = await pool.work();
    await look();
    await pins.settle();
    const end = await endOf(ends, failure);
    // An execution that found nothing to do reports nothing.
    if (ends.length > 0 || end.stopped || failure) await tell(end, failure?.message);
    return end;
  } catch (error) {
    // A further error would hide this one.
    if (error instanceof RalphError)
      await endOf(pool.ends(), null).then(
        (end) => tell(end, error.message),
        () => undefined,
      );
    throw error;
  } finally {
    clearInterval(looking);
    watch.close();
    budget.close();
    beat.close();
    await settled(startDirectly(), TIDY_MS);
    driver.close();
  }
}

const entering = (inWork: Set<string>, beat: ExecutionBeat) => (task: string) => {
  inWork.add(task);
  const leave = beat.begin(task);
  return () => {
    inWork.delete(task);
    leave();
  };
};

const LOOK_MS = 500;

function lookAgain(): void {
  // The next poll is soon; those before a task starts and at the end report errors.
}

/** A git process that hangs (in a hook, say) is left running. */
const TIDY_MS = 1_000;

/** Warns about submodules: git leaves them empty in a new worktree, and checking them out may need the network. */
function warnAboutSubmodules({ cwd, settingsPin, view }: ExecutionRequest): void {
  if (
    settingsPin.settings.ralph.worktree?.setup !== undefined ||
    !existsSync(join(checkoutRoot(cwd) ?? cwd, ".gitmodules"))
  )
    return;
  const how = '"ralph": {"worktree": {"setup": "git submodule update --init"}} in the settings checks them out';
  view.say(null, `submodules are empty in the worktrees of tasks; ${how}`);
}

async function countsOf({ tasks }: Workspace, ids: readonly string[]): Promise<ExecutionEnd["counts"]> {
  const counts: Partial<Record<TaskStatus, number>> = {};
  for (const id of ids) {
    const { status } = await tasks.find(id);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

function provenIn(ends: readonly Ended[]): Pick<ExecutionEnd, "tasks" | "proofs" | "weakened"> {
  const done = ends.filter(({ end }) => end === "done");
  return {
    tasks: Object.fromEntries(ends.map(({ id, end }) => [id, end])),
    proofs: Object.fromEntries(done.map(({ id, state }) => [id, state?.proof ?? null])),
    weakened: done.filter(({ state }) => state?.weak?.length).map(({ id }) => id),
  };
}

/** How work on a task ended, and its final state; null if it was aborted. */
interface Ended {
  id: string;
  end: TaskEnd;
  state: TaskState | null;
}

interface PoolRequest
  extends ExecutionRequest,
    DriverProcess,
    Pick<ExecutionContext, "id" | "log" | "spending" | "merging" | "beat" | "pins"> {
  look(): Promise<void>;
  /** Notes that the task is worked on, until the returned function is called. */
  enter(task: string): () => void;
}

/** Ends after which a task must not be started again, because it would end the same way. */
const OPEN_ENDS: ReadonlySet<TaskEnd> = new Set(["waits", "left"]);

/** Runs up to `maxParallel` tasks at once. A finished task may make others ready. */
function openPool(request: PoolRequest) {
  const { stops, maxParallel } = request;
  const running = new Map<string, { stops: StopControl; ended: Promise<void> }>();
  const ends = new Map<string, Ended>();
  let broken: { error: unknown } | null = null;
  let failure: RalphError | null = null;
  const out = new Set<string>();
  let over = 0;
  const passOn = () => {
    const asked = stops.request();
    for (const task of running.values()) if (asked) task.stops.ask(asked);
  };
  // A second request forces tasks that got the first one to stop.
  stops.soft.addEventListener("abort", passOn);
  stops.hard.addEventListener("abort", passOn);

  /** An error in one task may affect the others: they are interrupted and can be resumed. */
  function breakOff(error: unknown): null {
    broken ??= { error };
    if (!stops.request()) stops.ask({ as: "interrupted", by: "an error" });
    return null;
  }

  /** The next task; null once a stop is requested, also during the search. */
  async function next(): Promise<Picked | null> {
    if (running.size >= maxParallel || stops.request() || failure) return null;
    const picked = await request
      .look()
      .then(() => pickTask({ ...request, without: out }))
      .catch(breakOff);
    if (!picked || !(stops.request() || failure)) return picked;
    picked.lease.release();
    return null;
  }

  function begin(picked: Picked): void {
    const { loaded, lease } = picked;
    const { id } = loaded.task;
    const own = stopControl();
    out.add(id);
    const leave = request.enter(id);
    const ended = work(request, picked, own)
      .then(
        ({ end, state }) => {
          ends.set(id, { id, end, state });
          // A task that is back at todo for another attempt is started again in order.
          if (!OPEN_ENDS.has(end)) out.delete(id);
        },
        (error: unknown) => {
          ends.set(id, { id, end: "left", state: null });
          // Tasks in work are set up already, and can be finished.
          if (error instanceof RalphError && error.code === SET_UP_FAILED) failure ??= error;
          else breakOff(error);
        },
      )
      .finally(() => {
        running.delete(id);
        leave();
        over++;
        lease.release();
      });
    running.set(id, { stops: own, ended });
  }

  return {
    ends: () => [...ends.values()],
    async work(): Promise<{ ends: Ended[]; failure: Failure | null }> {
      while (true) {
        const before = over;
        const picked = await next();
        if (picked) begin(picked);
        // A task that ended during the search may have made another one ready.
        else if (over > before) continue;
        else if (running.size === 0) break;
        else await Promise.race([...running.values()].map(({ ended }) => ended));
      }
      for (const signal of [stops.soft, stops.hard]) signal.removeEventListener("abort", passOn);
      if (broken) throw broken.error;
      return { ends: [...ends.values()], failure: failure && failureOf(failure) };
    },
  };
}

const failureOf = ({ code, message, hint, exitCode }: RalphError): Failure => ({ code, message, hint, exitCode });

async function work(request: PoolRequest, { loaded, lease, takenMs }: Picked, stops: StopControl) {
  const { workspace, view, stages, limits, pins } = request;
  const { settings } = request.settingsPin;
  const { id } = loaded.task;
  const definition = taskDigest(pins.pinned(loaded.task));
  const before = loaded.state.work === null ? null : loaded.state.definition;
  if (before !== null && before !== definition)
    view.say(id, "was changed since an execution last worked on it: the change applies to everything not proven yet");
  const plan = { execution: request.id, stages, limits, definition, version: CORE_VERSION };
  const ledger = await takeTask(
    {
      tasks: workspace.tasks,
      loaded,
      lease,
      takenMs,
      holder: holderText(ownHolder()),
      pinned: pins.pinned,
      onWritten: (event, state) => view.task(id, event, state),
    },
    { type: "task.taken", ...plan },
  );
  const watch = watchStops(workspace, { kind: "task", id }, { stops, lease });
  try {
    const isOfEarlier = isBegun(loaded.state) && loaded.state.execution !== request.id;
    if (request.restart && isOfEarlier) await restartTask({ ...request, ledger });
    const end = await runTask({ ...request, settings, ledger, stops }).catch(async (error: unknown) => {
      // A further error would hide this one.
      if (error instanceof RalphError)
        await writeLeft(request, ledger, error.message.split("\n")[0] ?? "").catch(() => undefined);
      throw error;
    });
    const asked = stops.request();
    if (end === "left" && asked) await writeLeft(request, ledger, stopWords(asked));
    return { end, state: ledger.state };
  } finally {
    watch.close();
  }
}

/** Why the execution stopped, in the journal of a task that it worked on. */
const writeLeft = (request: PoolRequest, ledger: TaskLedger, why: string): Promise<void> =>
  ledger.write({ type: "task.left", why: withoutPaths(request, why) });
