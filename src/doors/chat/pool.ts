import { settled } from "../../adapters/io/timer.ts";
import { messageOf } from "../../core/errors.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import type { RunStore, RunSummary } from "../../core/workflow/store.ts";
import { type StopControl, stopControl } from "../../engine/stop-control.ts";
import { onDemand } from "./coalesce.ts";

/** Drives the runs of conversations: one of each conversation at a time, in their order, and at most so many in all. */
export interface Pool {
  /** Looks for runs that can begin. */
  wake(): void;
  /** Asks a run that is driven here to stop; false: it is not. */
  cancel(id: string, by: string): boolean;
  /** Keeps a run from beginning until it is let go. */
  hold(id: string): { letGo(): void };
  /** Goes on with a run that was left in the middle. */
  takeUp(run: RunSummary): void;
  /** Whether a run is driven, or comes to its turn by itself. One that waits for a person does not. */
  isDue(run: RunSummary): boolean;
  /** Ends at once what runs. */
  hurry(): void;
  readonly running: number;
  readonly isFull: boolean;
  /** Resolves once nothing runs or could begin. */
  idle(): Promise<void>;
  /** Asks what runs to stop as interrupted, begins nothing more, and waits a bounded time. */
  close(): Promise<void>;
}

interface PoolRequest {
  runs: Pick<RunStore, "nextInLine">;
  /** Runs that an earlier server has left in the middle, the oldest first. */
  left: readonly RunSummary[];
  maxParallel: number;
  /** Drives a run; what goes wrong is its own affair: it never throws. False: leave it alone from now on. */
  drive(run: RunSummary, stops: StopControl): Promise<boolean>;
  log(line: string): void;
}

/** How long a loop may take to end its agent gently, and then at once. */
const GENTLY_MS = 20_000;
const AT_ONCE_MS = 8_000;

export function openPool({ runs, left, maxParallel, drive, log }: PoolRequest): Pool {
  const running = new Map<string, { run: RunSummary; stops: StopControl; ended: Promise<void> }>();
  const held = new Set<string>();
  const leftovers = [...left];
  let isClosing = false;
  const filling = onDemand(fill, (error) => log(`the next run could not be looked for: ${messageOf(error)}`));

  /** Left runs go before queued ones: within a conversation they are older. */
  async function next(): Promise<RunSummary | null> {
    const busy = new Set([...running.values()].map(({ run }) => keyOf(run.conversation)));
    const place = leftovers.findIndex(({ conversation }) => !busy.has(keyOf(conversation)));
    if (place !== -1) return leftovers.splice(place, 1)[0] ?? null;
    for (const { conversation } of leftovers) busy.add(keyOf(conversation));
    const first = await runs.nextInLine(busy.size + held.size + 1);
    return first.find(({ id, conversation }) => !held.has(id) && !busy.has(keyOf(conversation))) ?? null;
  }

  function begin(run: RunSummary): void {
    const stops = stopControl();
    const ended = drive(run, stops).then((isOver) => {
      running.delete(run.id);
      if (!isOver) held.add(run.id);
      filling.ask();
    });
    running.set(run.id, { run, stops, ended });
  }

  async function fill(): Promise<void> {
    while (running.size < maxParallel && !isClosing) {
      const run = await next();
      if (!run || isClosing) return;
      begin(run);
    }
  }

  const isKnown = (id: string) => running.has(id) || leftovers.some((run) => run.id === id);
  const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended));
  const askAll = () => {
    for (const { stops } of running.values()) stops.ask({ as: "interrupted", by: "the end of the server" });
  };

  return {
    wake: filling.ask,
    cancel(id, by) {
      running.get(id)?.stops.ask({ as: "cancelled", by });
      return running.has(id);
    },
    hold(id) {
      held.add(id);
      return { letGo: () => void held.delete(id) };
    },
    takeUp(run) {
      // One that was just left may still be telling so: it is taken up after that. One that is queued comes to its turn.
      const isComing = run.status === "queued" || (run.status === "running" && running.has(run.id));
      if (!isComing && !leftovers.some(({ id }) => id === run.id)) leftovers.push(run);
      held.delete(run.id);
      filling.ask();
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
      await settled(allEnded(), GENTLY_MS);
      askAll();
      await settled(allEnded(), AT_ONCE_MS);
    },
  };
}

const keyOf = (conversation: Conversation | null): string => `${conversation?.platform}:${conversation?.id}`;
