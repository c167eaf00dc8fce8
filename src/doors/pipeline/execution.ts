import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { markDescendants } from "../../adapters/io/descent.ts";
import { openTurn } from "../../adapters/io/mutex.ts";
import { startThrough } from "../../adapters/io/program.ts";
import { openStarter } from "../../adapters/io/starter.ts";
import { settled } from "../../adapters/io/timer.ts";
import { startWatchdog } from "../../adapters/io/watchdog.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import type { Level } from "../../core/proof/level.ts";
import type { TaskLimits } from "../../core/task/events.ts";
import type { AgentRole } from "../../core/task/role.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import type { Usage } from "../../core/usage.ts";
import { type StopControl, stopControl } from "../../engine/stop-control.ts";
import { ownHolder, watchStops } from "../../runtime/inbox.ts";
import { type BudgetLimits, openBudget } from "./budget.ts";
import type { ExecutionContext, TaskEnd } from "./context.ts";
import { openExecutionLog } from "./execution-log.ts";
import type { ExecutionView } from "./execution-view.ts";
import { sweepMerged } from "./merge/sweep-merged.ts";
import { type Picked, pickTask, wanted } from "./pick.ts";
import type { KeptChange } from "./pins/pin-book.ts";
import { digestOf, openPins } from "./pins/pins.ts";
import type { SettingsPin } from "./pins/settings-pin.ts";
import { sweepCopies } from "./stage/copy.ts";
import { type LeftTask, leftTasks } from "./stalled-tasks.ts";
import { type Told, takeTask } from "./task-ledger.ts";
import { runTask } from "./task-run.ts";

export interface ExecutionRequest {
  workspace: Workspace;
  cwd: string;
  settingsPin: SettingsPin;
  /** Take changes of tasks and settings at once. */
  acceptChanges: boolean;
  /** Only the tasks of this spec. */
  spec: string | null;
  /** Only this one. */
  task: string | null;
  target: string;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  maxParallel: number;
  budget: BudgetLimits;
  stops: StopControl;
  view: ExecutionView;
}

/** What came of an execution. */
export interface ExecutionEnd {
  execution: string;
  /** Null: there was nothing more to do. */
  stopped: StopRequest | null;
  /** What became of the tasks that were worked on. */
  tasks: Readonly<Record<string, TaskEnd>>;
  /** What stands behind the tasks that it has brought to their end. */
  proofs: Readonly<Record<string, Level | null>>;
  /** How many tasks there are of each status, of those that were asked for. */
  counts: Readonly<Partial<Record<TaskStatus, number>>>;
  /** The first of those that do not get on by themselves, and why. */
  left: readonly LeftTask[];
  /** What others have changed meanwhile, and does not count yet. */
  changed: readonly KeptChange[];
  /** Those that are done on a proof that something weakens. */
  weakened: readonly string[];
  spent: Usage;
}

/** Takes up ready tasks, several at a time, until none is left, or until somebody wants it to stop. */
export async function execute(request: ExecutionRequest): Promise<ExecutionEnd> {
  const { workspace, cwd, stops, view, spec, task } = request;
  const id = randomBytes(4).toString("hex");
  if (task !== null) await wanted(workspace, task, `ralph execute (pid ${process.pid})`);
  const budget = openBudget(request.budget, (why) => {
    view.say(null, `the budget is used up: ${why}`);
    if (!stops.request()) stops.ask({ as: "budget", by: why });
  });
  await sweepCopies(workspace, cwd);
  await sweepMerged(workspace, cwd);
  tellSubmodules(request);
  const inWork = new Set<string>();
  const pins = await openPins({ ...request, isInWork: (one) => inWork.has(one) });
  const { settingsPin } = request;
  const look = async () => void (await Promise.all([pins.look(), settingsPin.look()]));
  const looking = setInterval(() => look().catch(lookAgain), LOOK_MS);
  const log = openExecutionLog(cwd, workspace.store);
  const processToken = randomBytes(6).toString("hex");
  await markDescendants(workspace.folder.root);
  const watchdog = startWatchdog(processToken);
  // A task is a few hundred runs of git.
  const startDirectly = startThrough(openStarter());
  const shared = { id, log, spend: budget.spend, merging: openTurn(), watchdog, processToken };
  const pool = openPool({ ...request, ...shared, pins, look, inWork });
  try {
    const ends = await pool.work();
    await look();
    await pins.settle();
    const counts = task === null ? await workspace.tasks.counts(spec ?? undefined) : await countOf(workspace, task);
    const left = await leftTasks({ workspace, spec, task, pins });
    const changed = [...pins.kept(), ...settingsPin.kept()];
    const proven = provenIn(ends);
    return { execution: id, stopped: stops.request(), ...proven, counts, left, changed, spent: budget.spent };
  } finally {
    clearInterval(looking);
    budget.close();
    await settled(startDirectly(), TIDY_MS);
    watchdog.close();
  }
}

/** How often it is looked for what others change. */
const LOOK_MS = 500;

function lookAgain(): void {
  // The next look is not far, and those before a task is taken and at the end tell what is wrong.
}

/** A git that hangs (in a hook, say) goes on by itself. */
const TIDY_MS = 1_000;

/** Git leaves them empty in a new worktree, and a set-up may need the network: who wants them says so. */
function tellSubmodules({ cwd, settingsPin, view }: ExecutionRequest): void {
  if (
    settingsPin.settings.ralph.worktree?.setup !== undefined ||
    !existsSync(join(checkoutRoot(cwd) ?? cwd, ".gitmodules"))
  )
    return;
  const how = '"ralph": {"worktree": {"setup": "git submodule update --init"}} in the settings checks them out';
  view.say(null, `submodules are empty in the worktrees of tasks; ${how}`);
}

const countOf = async ({ tasks }: Workspace, id: string) => ({ [(await tasks.find(id)).status]: 1 });

/** What stands behind the tasks that were done now. */
function provenIn(ends: readonly Ended[]): Pick<ExecutionEnd, "tasks" | "proofs" | "weakened"> {
  const done = ends.filter(({ end }) => end === "done");
  return {
    tasks: Object.fromEntries(ends.map(({ id, end }) => [id, end])),
    proofs: Object.fromEntries(done.map(({ id, state }) => [id, state?.proof ?? null])),
    weakened: done.filter(({ state }) => state?.weak?.length).map(({ id }) => id),
  };
}

/** How work on a task ended, and its state then; null where it was broken off. */
interface Ended {
  id: string;
  end: TaskEnd;
  state: TaskState | null;
}

interface PoolRequest
  extends ExecutionRequest,
    Pick<ExecutionContext, "id" | "log" | "spend" | "merging" | "watchdog" | "processToken" | "pins"> {
  /** Looks for what others have changed. */
  look(): Promise<void>;
  /** The tasks in work here. */
  inWork: Set<string>;
}

/** Ends of tasks that would be taken up again, and end the same way. */
const OPEN_ENDS: ReadonlySet<TaskEnd> = new Set(["waits", "left"]);

/** At most so many tasks at once; a task that is done may make others ready. */
function openPool(request: PoolRequest) {
  const { stops, maxParallel } = request;
  const running = new Map<string, { stops: StopControl; ended: Promise<void> }>();
  const ends = new Map<string, Ended>();
  let broken: { error: unknown } | null = null;
  const out = new Set<string>();
  let over = 0;
  const passOn = () => {
    const asked = stops.request();
    for (const task of running.values()) if (asked) task.stops.ask(asked);
  };
  // A second wish reaches those that have had the first as their second.
  stops.soft.addEventListener("abort", passOn);
  stops.hard.addEventListener("abort", passOn);

  /** What broke one may break the others: they are interrupted, and can be gone on with. */
  function breakOff(error: unknown): null {
    broken ??= { error };
    if (!stops.request()) stops.ask({ as: "interrupted", by: "an error" });
    return null;
  }

  /** The next task; none once somebody wants to stop, also while it was looked for. */
  async function next(): Promise<Picked | null> {
    if (running.size >= maxParallel || stops.request()) return null;
    const picked = await request
      .look()
      .then(() => pickTask({ ...request, without: out }))
      .catch(breakOff);
    if (!picked || !stops.request()) return picked;
    picked.lease.release();
    return null;
  }

  function begin(picked: Picked): void {
    const { loaded, lease } = picked;
    const { id } = loaded.task;
    const own = stopControl();
    out.add(id);
    request.inWork.add(id);
    const ended = work(request, picked, own)
      .then(
        ({ end, state }) => {
          ends.set(id, { id, end, state });
          // Back to todo for another attempt, it is taken up again in its turn; what is over is not looked at again.
          if (!OPEN_ENDS.has(end)) out.delete(id);
        },
        (error: unknown) => {
          ends.set(id, { id, end: "left", state: null });
          breakOff(error);
        },
      )
      .finally(() => {
        running.delete(id);
        request.inWork.delete(id);
        over++;
        lease.release();
      });
    running.set(id, { stops: own, ended });
  }

  return {
    async work(): Promise<Ended[]> {
      while (true) {
        const before = over;
        const picked = await next();
        if (picked) begin(picked);
        // What ended while it was looked for may have made another one ready.
        else if (over > before) continue;
        else if (running.size === 0) break;
        else await Promise.race([...running.values()].map(({ ended }) => ended));
      }
      stops.soft.removeEventListener("abort", passOn);
      stops.hard.removeEventListener("abort", passOn);
      if (broken) throw broken.error;
      return [...ends.values()];
    },
  };
}

/** Works on one task, and watches for others who want it to stop. */
async function work(request: PoolRequest, { loaded, lease, takenMs }: Picked, stops: StopControl) {
  const { workspace, view, stages, limits, pins } = request;
  const { settings } = request.settingsPin;
  const { id } = loaded.task;
  const told: Told = (event, state) => view.task(id, event, state);
  const definition = digestOf(pins.pinned(loaded.task));
  const before = loaded.state.work === null ? null : loaded.state.definition;
  if (before !== null && before !== definition)
    view.say(id, "was changed since an execution last worked on it: what is not proven yet is held to the change");
  const taking = { tasks: workspace.tasks, loaded, lease, takenMs, told, pinned: pins.pinned, holder: ownHolder() };
  const ledger = await takeTask(taking, { type: "task.taken", execution: request.id, stages, limits, definition });
  const watch = watchStops(workspace, { kind: "task", id }, { stops, lease });
  try {
    const end = await runTask({ ...request, settings, ledger, stops });
    return { end, state: ledger.state };
  } finally {
    watch.close();
  }
}
