import { settled, timer } from "../../adapters/io/timer.ts";
import { messageOf } from "../../core/errors.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import type { RunStore, RunSummary } from "../../core/workflow/store.ts";
import { type StopControl, stopControl } from "../../engine/stop-control.ts";

/** Drives the runs of conversations: one per conversation at a time, in order, and at most `maxParallel` in all. */
export interface Pool {
  wake(): void;
  /** Asks a run to stop; false if this process does not drive it. */
  cancel(id: string, by: string): boolean;
  /** Keeps a run from starting until it is released. */
  hold(id: string): { release(): void };
  resume(run: RunSummary): void;
  /** Whether a run is active or will start by itself, unlike one that waits for the user. */
  isDue(run: RunSummary): boolean;
  hurry(): void;
  readonly running: number;
  readonly isFull: boolean;
  idle(): Promise<void>;
  /** Asks active runs to stop as interrupted, starts none, and waits a bounded time. */
  close(): Promise<void>;
}

interface PoolRequest {
  runs: Pick<RunStore, "nextInLine">;
  left: readonly RunSummary[];
  maxParallel: number;
  /** Drives a run. Never throws. False: do not start it again. */
  drive(run: RunSummary, stops: StopControl): Promise<boolean>;
  log(line: string): void;
}

/** How long a loop may take to end its agent after the first request, and after the second. */
const STOP_MS = 20_000;
const KILL_MS = 8_000;

export function openPool({ runs, left, maxParallel, drive, log }: PoolRequest): Pool {
  const running = new Map<string, { run: RunSummary; stops: StopControl; ended: Promise<void> }>();
  const held = new Set<string>();
  const leftovers = [...left];
  let isClosing = false;
  const filling = coalesce(fill, (error) => log(`the next run could not be found: ${messageOf(error)}`));

  /** Interrupted runs come before queued ones: within a conversation they are older. */
  async function next(): Promise<RunSummary | null> {
    const busy = new Set([...running.values()].map(({ run }) => keyOf(run.conversation)));
    const place = leftovers.findIndex(({ conversation }) => !busy.has(keyOf(conversation)));
    if (place !== -1) return leftovers.splice(place, 1)[0] ?? null;
    for (const { conversation } of leftovers) busy.add(keyOf(conversation));
    const first = await runs.nextInLine(busy.size + held.size + 1);
    return first.find(({ id, conversation }) => !held.has(id) && !busy.has(keyOf(conversation))) ?? null;
  }

  function start(run: RunSummary): void {
    const stops = stopControl();
    const ended = drive(run, stops).then((isOver) => {
      running.delete(run.id);
      if (!isOver) held.add(run.id);
      filling.request();
    });
    running.set(run.id, { run, stops, ended });
  }

  async function fill(): Promise<void> {
    while (running.size < maxParallel && !isClosing) {
      const run = await next();
      if (!run || isClosing) return;
      start(run);
    }
  }

  const isKnown = (id: string) => running.has(id) || leftovers.some((run) => run.id === id);
  const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended));
  const askAll = () => {
    for (const { stops } of running.values()) stops.ask({ as: "interrupted", by: "the end of the server" });
  };

  return {
    wake: filling.request,
    cancel(id, by) {
      running.get(id)?.stops.ask({ as: "cancelled", by });
      return running.has(id);
    },
    hold(id) {
      held.add(id);
      return { release: () => void held.delete(id) };
    },
    resume(run) {
      // An interrupted run is resumed once it has reported the interruption. A queued run starts by itself.
      const startsByItself = run.status === "queued" || (run.status === "running" && running.has(run.id));
      if (!startsByItself && !leftovers.some(({ id }) => id === run.id)) leftovers.push(run);
      held.delete(run.id);
      filling.request();
    },
    isDue: ({ id, status }) => isKnown(id) || (status === "queued" && !held.has(id)),
    hurry: askAll,
    get running() {
      return running.size;
    },
    get isFull() {
      return running.size >= maxParallel;
    },
    async idle() {
      await filling.idle();
      while (running.size > 0) {
        await allEnded();
        await filling.idle();
      }
    },
    async close() {
      isClosing = true;
      await filling.idle();
      askAll();
      await settled(allEnded(), STOP_MS);
      askAll();
      await settled(allEnded(), KILL_MS);
    },
  };
}

const keyOf = (conversation: Conversation | null): string => `${conversation?.platform}:${conversation?.id}`;

const RETRY_MS = 1_000;

/** Requests during the work make it run once more; after an error it is retried. */
function coalesce(work: () => Promise<void>, onError: (error: unknown) => void) {
  let isRequested = false;
  let running: Promise<void> | null = null;
  const run = async () => {
    while (isRequested) {
      isRequested = false;
      await work().catch((error: unknown) => {
        onError(error);
        timer(RETRY_MS, request);
      });
    }
    running = null;
  };
  function request(): void {
    isRequested = true;
    running ??= run();
  }
  return {
    request,
    async idle() {
      while (running) await running;
    },
  };
}
